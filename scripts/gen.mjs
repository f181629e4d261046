/**
 * Writes what is generated. Each module of scripts/gen gives the `path` of one file and its
 * `text()`.
 *
 *     node scripts/gen.mjs
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "scripts/gen");

for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts"))) {
  const outfile = join(root, "dist", `gen-${file.replace(/\.ts$/, ".mjs")}`);
  const entryPoints = [join(folder, file)];
  const shared = { bundle: true, format: "esm", platform: "node", packages: "external" };
  await build({ ...shared, entryPoints, outfile });
  const { path, text } = await import(pathToFileURL(outfile).href);
  writeFileSync(join(root, path), text());
  rmSync(outfile);
  console.log(path);
}
