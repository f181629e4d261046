/**
 * Bundles the sources into dist/ and makes the memory image that Python starts from.
 *
 *     node scripts/build.mjs [python]      with "python" only the image and what it needs
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeBundled } from "./bundled.mjs";
import { bundleWebviews } from "./bundleWebviews.mjs";
import { slimWasm } from "./slimWasm.mjs";
import { slimZip } from "./slimZip.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const assets = join(dist, "python");
const pyodide = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));

const pythonEntries = {
  makeSnapshot: "src/trace/python/makeSnapshot.ts",
  makeTable: "src/trace/makeTable.ts",
};
const entries = {
  ...pythonEntries,
  cli: "src/cli/main.ts",
  engine: "src/engine/main.ts",
  tracer: "src/engine/tracerLoader.ts",
  makeCompiled: "src/engine/makeCompiled.ts",
  runtime: "src/engine/runtimeWorker.ts",
  fillWorker: "src/random/fillWorker.ts",
  parameterWorker: "src/engine/parameterWorker.ts",
};

/** What a CommonJS dependency in a bundle calls. */
const requireForCommonJs =
  'import { createRequire as normscopeCreateRequire } from "node:module";' +
  "const require = normscopeCreateRequire(import.meta.url);";

/** Pyodide's imports of Node's modules, none of which it reaches in a bare realm. */
const withoutNode = {
  name: "without-node",
  setup(bundle) {
    bundle.onResolve({ filter: /^(node:.*|ws)$/ }, ({ path }) => ({ path, namespace: "absent" }));
    bundle.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "export default {}" }));
  },
};

const isOnlyPython = process.argv[2] === "python";
// V8 would take them for the new bundles'.
for (const path of [join(dist, "tracer.cjs"), join(assets, "realm.js")])
  rmSync(`${path}.cache`, { force: true });
const metafiles = [
  await bundleNode(isOnlyPython ? pythonEntries : entries),
  await bundleRealm(),
  ...(isOnlyPython
    ? []
    : [await bundleTracer(), await bundleExtension(), ...(await bundleWebviews(root))]),
];
if (!isOnlyPython) writeBundled(join(dist, "bundled.json"), metafiles);
makePython();

/** An entry that is not written yet is passed over. */
async function bundleNode(wanted) {
  const present = Object.entries(wanted).filter(([, file]) => existsSync(join(root, file)));
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(present),
    outdir: dist,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["onnxruntime-node"],
    banner: { js: requireForCommonJs },
    sourcemap: "linked",
    logLevel: "warning",
  });
  return metafile;
}

/** What the tracer's worker runs: a script, as only scripts can be kept compiled. */
async function bundleTracer() {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: { tracer: "src/engine/tracerWorker.ts" },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    logLevel: "warning",
  });
  return metafile;
}

/** What the editor loads: one CommonJS file, as editors before version 1.100 need it. */
async function bundleExtension() {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: { extension: "src/extension/main.ts" },
    outdir: dist,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    minify: true,
    sourcemap: "linked",
    logLevel: "warning",
  });
  return metafile;
}

/** Pyodide and what stands around it, as one function of `normscopeOutside`, for a bare realm. */
async function bundleRealm() {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: [join(root, "src/trace/python/realm/main.ts")],
    outfile: join(assets, "realm.js"),
    bundle: true,
    format: "iife",
    globalName: "normscopeRealm",
    target: "node20",
    define: { "import.meta.url": '"file:///realm.js"' },
    banner: { js: '(function (normscopeOutside) { "use strict";' },
    footer: { js: "return normscopeRealm.inside; })" },
    plugins: [withoutNode],
    logLevel: "error",
  });
  return metafile;
}

/** Takes seconds, so it is done only when something that the image is made from has changed. */
function makePython() {
  const hashFile = join(assets, "python.snapshot.hash");
  const table = makeTable();
  const hash = hashOf(
    [
      ...["python", "scripts/slimWasm.mjs", "scripts/slimZip.mjs"].map((name) => join(root, name)),
      ...[join(assets, "realm.js"), pyodide],
    ],
    table,
  );
  if (existsSync(hashFile) && readFileSync(hashFile, "utf8") === hash) return;
  rmSync(hashFile, { force: true });
  copyPython();
  writeFileSync(join(assets, "site/torch/_table.py"), table);
  makeSnapshot();
  writeFileSync(hashFile, hash);
}

function copyPython() {
  const library = readFileSync(join(pyodide, "python_stdlib.zip"));
  writeFileSync(join(assets, "python_stdlib.zip"), slimZip(library, isOfUse));
  writeFileSync(join(assets, "pyodide.asm.wasm"), slimPython());
  const site = join(assets, "site");
  rmSync(site, { recursive: true, force: true });
  cpSync(join(root, "python"), site, { recursive: true, filter: isSource });
}

/** Not mail boxes, servers of other protocols, and code pages of old mainframes and terminals. */
function isOfUse(name) {
  return !(
    /^(xmlrpc|wsgiref)\//.test(name) ||
    /^(imaplib|mailbox)\.py$/.test(name) ||
    /^encodings\/(cp(?!125|437|850|9)\w+|mac_(?!roman\b)\w+|hp_roman8|palmos|ptcp154|kz1048|koi8_t)\.py$/.test(
      name,
    )
  );
}

/** Python with the exports that something other than Pyodide's table of all exports names. */
function slimPython() {
  const bytes = readFileSync(join(pyodide, "pyodide.asm.wasm"));
  const source = readFileSync(join(assets, "realm.js"), "utf8");
  const lines = source.split("\n").filter((line) => !isExportTable(line));
  const named = new Set(lines.join("\n").match(/[\w$]+/g));
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  for (const { module, name } of imports) if (module.startsWith("GOT.")) named.add(name);
  return slimWasm(bytes, (name) => named.has(name) || named.has(`_${name}`));
}

/** `_name = Module["_name"] = wasmExports["name"];`, and the declaration of all of them. */
function isExportTable(line) {
  return /= wasmExports\d*\["\w+"\];/.test(line) || /^\s*var (\w+, ){1000,}/.test(line);
}

/** The torch calls that the host defines, as the Python module that exposes them. */
function makeTable() {
  const child = spawnSync(process.execPath, [join(dist, "makeTable.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error("The table of torch calls could not be made");
  return child.stdout;
}

function makeSnapshot() {
  const child = spawnSync(process.execPath, [join(dist, "makeSnapshot.mjs"), assets], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {},
  });
  if (child.status !== 0) {
    throw new Error(`The memory image of Python could not be made (exit code ${child.status})`);
  }
}

function hashOf(paths, text) {
  const hash = createHash("sha256").update(text);
  for (const path of paths.flatMap(filesUnder)) {
    hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!isSource(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => filesUnder(join(path, name)));
}

function isSource(file) {
  return !file.endsWith("__pycache__") && !file.endsWith(".pyc");
}
