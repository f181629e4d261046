/** Licences of what is shipped: of the packages in the bundles and of those beside them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const beside = ["node_modules/onnxruntime-node", "node_modules/onnxruntime-common"];
/** Its files are copied; the bundles hold only its loader. */
const python = "node_modules/pyodide";

/** Packages whose archive has no licence file. */
const withoutFile = {
  MIT: "Permission is hereby granted under the MIT licence: https://opensource.org/license/mit",
  "MPL-2.0": "Mozilla Public License 2.0: https://www.mozilla.org/MPL/2.0/",
  "Apache-2.0": "Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0",
  "CC-BY-4.0": "Creative Commons Attribution 4.0: https://creativecommons.org/licenses/by/4.0/",
};

export function licenceNotices(root, hasNative) {
  const bundled = JSON.parse(readFileSync(join(root, "dist/bundled.json"), "utf8"));
  const folders = [...new Set([...bundled, python, ...(hasNative ? beside : [])])].sort();
  const sections = folders.map((folder) => notice(join(root, folder)));
  const head =
    "Normscope contains the following packages. Python's standard library, part of Pyodide, is\n" +
    "distributed under the PSF licence: https://docs.python.org/3/license.html\n";
  return [head, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((it) => /^(licen[cs]e|copying)(\.|$)/i.test(it));
  const text = file === undefined ? withoutFile[license] : readFileSync(join(folder, file), "utf8");
  if (text === undefined)
    throw new Error(`${name} has no licence text, and '${license}' is not known`);
  const third = join(folder, "ThirdPartyNotices.txt");
  const more = existsSync(third) ? `\n${readFileSync(third, "utf8")}` : "";
  return `${name} ${version} (${license})\n\n${text.trim()}\n${more}`;
}
