/** The workspace where none was named: the nearest folder that the file's own imports start from. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, parse } from "node:path";

/** So many folders above the file's own one are looked at. */
const levels = 4;

/**
 * The file's folder, where nothing that it imports lies further up. Else the folder of the outermost
 * package or module above it that an import of the file names: `from layers.embed import …` in
 * `project/models/a.py` finds `project/layers`.
 */
export function importRoot(path: string): string {
  const own = dirname(path);
  if (extname(path) !== ".py") return own;
  const { level, names } = importsOf(readFileSync(path, "utf8"));
  let root = own;
  let folder = own;
  let isPackage = true;
  for (let above = 1; above <= levels && dirname(folder) !== parse(folder).root; above++) {
    isPackage &&= existsSync(join(folder, "__init__.py"));
    folder = dirname(folder);
    const wanted = level > 0 && (isPackage || above <= level);
    if (wanted || names.some((name) => !holds(own, name) && holds(folder, name))) root = folder;
  }
  return root;
}

const holds = (folder: string, name: string): boolean => {
  const path = join(folder, ...name.split("."));
  if (existsSync(`${path}.py`) || holdsPackage(path)) return true;
  // What is imported of `a.b` can be a name of its `__init__`, or of what that imports.
  const above = name.slice(0, name.lastIndexOf("."));
  return name.includes(".") && holdsPackage(join(folder, ...above.split(".")));
};

/** A folder of data beside the project is no package: it has no file of Python. */
const holdsPackage = (folder: string): boolean =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
  readdirSync(folder).some((name) => name.endsWith(".py"));

function importsOf(source: string): { level: number; names: readonly string[] } {
  const found = [...source.matchAll(/^[ \t]*(?:from|import)[ \t]+(\.*)(\w*(?:\.\w+)*)/gm)];
  const levelsFound = found.map(([, dots = ""]) => dots.length);
  const names = found.flatMap(([, dots, name]) => (dots === "" && name ? [name] : []));
  return { level: Math.max(0, ...levelsFound), names: [...new Set(names)] };
}
