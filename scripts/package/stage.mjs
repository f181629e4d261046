/** Puts together the folder that a package is made of: what is named here, and nothing else. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { licenceNotices } from "./notices.mjs";
import { nativeFiles } from "./targets.mjs";

const files = ["CHANGELOG.md", "docs/errors.md", "LICENSE", "README.md", "package.nls.json"];
const folders = ["l10n", "media", "models"];
const bundles = ["cli", "engine", "fillWorker", "parameterWorker", "runtime", "tracer"].map(
  (name) => `dist/${name}.mjs`,
);
const built = [...bundles, "dist/tracer.cjs", "dist/extension.cjs", "dist/python", "dist/webview"];

/** onnxruntime-node is not bundled: it finds its library by its own place on the disk. */
const runtimeFiles = [
  "node_modules/onnxruntime-node/package.json",
  ...["index", "backend", "binding", "version"].map(
    (it) => `node_modules/onnxruntime-node/dist/${it}.js`,
  ),
  "node_modules/onnxruntime-common/package.json",
  "node_modules/onnxruntime-common/dist/cjs",
];

export function stage(root, target, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const translations = ["package.nls.de.json"].filter((file) => existsSync(join(root, file)));
  for (const path of [...files, ...translations, ...folders, ...built])
    copy(root, path, folder, path);
  // Its files are in dist/python; this says which version they are.
  copy(root, "node_modules/pyodide/package.json", folder, "dist/node_modules/pyodide/package.json");
  const native = nativeFiles(target);
  if (native.length > 0) {
    for (const path of [...runtimeFiles, ...native]) copy(root, path, folder, `dist/${path}`);
  }
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), licenceNotices(root, native.length > 0));
  writeFileSync(join(folder, "package.json"), manifest(root));
}

const isShipped = (file) => !/\.(map|d\.ts|d\.mts)$|\.(hash|cache)$|__pycache__|\.pyc$/.test(file);

function copy(root, from, folder, to) {
  const source = join(root, from);
  if (!existsSync(source)) throw new Error(`'${from}' is not there: run npm run build`);
  mkdirSync(dirname(join(folder, to)), { recursive: true });
  const isFolder = statSync(source).isDirectory();
  cpSync(source, join(folder, to), { recursive: isFolder, filter: isShipped });
}

/** The manifest without what only the repository needs. */
function manifest(root) {
  const {
    scripts,
    dependencies,
    devDependencies,
    bin,
    private: _,
    ...kept
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  // All of the folder: it holds nothing else.
  return `${JSON.stringify({ ...kept, files: ["**"] }, null, 2)}\n`;
}
