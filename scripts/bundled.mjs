/** Which packages ended up in the bundles: a list of folders below the repository. */
import { writeFileSync } from "node:fs";

/** Metafiles are esbuild's; the list is what the licence notices are made of. */
export function writeBundled(file, metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const folders = inputs.map(packageFolder).filter((folder) => folder !== null);
  const unique = [...new Set(folders)].sort();
  writeFileSync(file, `${JSON.stringify(unique, null, 2)}\n`);
}

/** "node_modules/@scope/name" of a file in it, the innermost where packages are nested. */
function packageFolder(file) {
  const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return match?.[1] ?? null;
}
