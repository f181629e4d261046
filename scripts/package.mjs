/**
 * Packs the extension, for this machine's system or for those that are named.
 *
 *     node scripts/package.mjs [linux-x64 win32-x64 … universal | all]
 *
 * Writes out/normscope-TARGET.vsix; a file over its budget is an error, and so is a warning of vsce.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stage } from "./package/stage.mjs";
import { ownTarget, targets } from "./package/targets.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, "out");
const vsce = join(
  dirname(createRequire(import.meta.url).resolve("@vscode/vsce/package.json")),
  "vsce",
);

const asked = process.argv.slice(2);
const names =
  asked.length === 0 ? [ownTarget()] : asked[0] === "all" ? Object.keys(targets) : asked;
for (const name of names) pack(name);

function pack(name) {
  const target = targets[name];
  if (target === undefined) {
    throw new Error(`No package for '${name}'; there are: ${Object.keys(targets).join(", ")}`);
  }
  const folder = join(out, "vsix", name);
  stage(root, target, folder);
  mkdirSync(out, { recursive: true });
  const file = join(out, `normscope-${name}.vsix`);
  runVsce(folder, name, file);
  const [unpacked, packed] = [sizeOf(folder) / 1e6, statSync(file).size / 1e6];
  console.log(
    `${file}: ${packed.toFixed(1)} MB of at most ${target.budget} MB, unpacked ${unpacked.toFixed(1)} MB`,
  );
  if (packed > target.budget) throw new Error(`${name} is over its budget of ${target.budget} MB`);
}

function runVsce(folder, name, file) {
  const target = name === "universal" ? [] : ["--target", name];
  const options = [
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
    "--out",
    file,
  ];
  const child = spawnSync(process.execPath, [vsce, "package", ...target, ...options], {
    cwd: folder,
    encoding: "utf8",
  });
  const said = `${child.stdout}${child.stderr}`;
  if (child.status !== 0 || /\bWARNING\b/.test(said)) throw new Error(`vsce package:\n${said}`);
}

function sizeOf(path) {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
