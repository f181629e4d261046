/** Licences of what is shipped: of the packages in the bundles and of those beside them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { licenceText } from "./licences.mjs";

const beside = ["node_modules/onnxruntime-node", "node_modules/onnxruntime-common"];
/** Its files are copied; the bundles hold only its loader. */
const python = "node_modules/pyodide";

export function licenceNotices(root, hasNative) {
  const bundled = JSON.parse(readFileSync(join(root, "dist/bundled.json"), "utf8"));
  const folders = [...new Set([...bundled, python, ...(hasNative ? beside : [])])].sort();
  const sections = folders.map((folder) => notice(root, folder));
  const head =
    "Normscope contains the following packages. Python's standard library, part of Pyodide, is\n" +
    "distributed under the PSF licence: https://docs.python.org/3/license.html. The works in ONNX\n" +
    "Runtime's libraries: https://github.com/microsoft/onnxruntime/blob/main/ThirdPartyNotices.txt\n";
  return [head, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}

function notice(root, folder) {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const files = readdirSync(path).filter((it) =>
    /^(licen[cs]e|copying|(third.*)?notices?)/i.test(it),
  );
  const texts = files.map((file) => readFileSync(join(path, file), "utf8").trim());
  const hasLicence = files.some((file) => /^(licen[cs]e|copying)/i.test(file));
  const text = hasLicence ? [] : [licenceText(root, license)];
  if (text.includes(null)) throw new Error(`${name}: no text of the licence '${license}'`);
  return [`${name} ${version} (${license})`, ...text, ...texts, ""].join("\n\n");
}
