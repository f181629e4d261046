/** Where people have the CUDA libraries: the system, LD_LIBRARY_PATH, Python environments. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CudaLibrary } from "./libraries.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly env: Environment;
  /** Folders whose own Python environments count: .venv, venv. */
  readonly workspaces: readonly string[];
  /** Folders that a set-up found. */
  readonly recorded: readonly string[];
}

/** A library, and the folder it was found in; null: on the loader's own path. */
export interface FoundLibrary {
  readonly file: string;
  readonly folder: string | null;
}

export interface SearchResult {
  readonly found: readonly FoundLibrary[];
  readonly missing: readonly CudaLibrary[];
}

/** `system` says whether the loader finds a file by itself. */
export function findLibraries(
  libraries: readonly CudaLibrary[],
  places: Places,
  system: (file: string) => boolean = onSystemPath,
): SearchResult {
  const folders = libraryFolders(places);
  const found: FoundLibrary[] = [];
  const missing: CudaLibrary[] = [];
  for (const library of libraries) {
    const { file } = library;
    const folder = folders.find((it) => existsSync(join(it, file)));
    if (folder !== undefined) found.push({ file, folder });
    else if (system(file)) found.push({ file, folder: null });
    else missing.push(library);
  }
  return { found, missing };
}

/** In the order in which they count. */
export function libraryFolders({ env, workspaces, recorded }: Places): string[] {
  const given = (env["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((it) => it !== "");
  const homes = [env["CUDA_HOME"], env["CUDA_PATH"], "/usr/local/cuda", ...systemHomes()];
  const all = [
    ...given,
    ...recorded,
    ...pythonPrefixes({ env, workspaces }).flatMap(foldersOfPython),
    ...homes.flatMap((home) => (home ? [join(home, "lib64"), join(home, "lib")] : [])),
  ];
  return [...new Set(all)].filter((folder) => existsSync(folder));
}

/** The Python environments that are active or lie in a workspace. */
export const pythonPrefixes = ({ env, workspaces }: Omit<Places, "recorded">): string[] => {
  const active = [env["VIRTUAL_ENV"], env["CONDA_PREFIX"]];
  const own = workspaces.flatMap((root) => [".venv", "venv", "env"].map((it) => join(root, it)));
  return [...active, ...own].filter((prefix) => prefix !== undefined && prefix !== "") as string[];
};

/** PyTorch brings the libraries along, each in a folder of its own; conda has them in `lib`. */
const foldersOfPython = (prefix: string): string[] => [
  ...foldersIn(join(prefix, "lib"))
    .filter((folder) => /python3\.\d+$/.test(folder))
    .flatMap((python) => foldersOfPackages(join(python, "site-packages"))),
  join(prefix, "lib"),
];

export const foldersOfPackages = (packages: string): string[] =>
  foldersIn(join(packages, "nvidia")).map((part) => join(part, "lib"));

/** The newest first. */
const systemHomes = (): string[] =>
  foldersIn("/usr/local")
    .filter((folder) => /\/cuda-[\d.]+$/.test(folder))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map((entry) => join(folder, entry.name));
}

const systemFolders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib"];
const loaderCache = "/etc/ld.so.cache";

/** Whether the loader finds it without being told where. Its cache has names that end with a zero. */
export function onSystemPath(file: string): boolean {
  if (systemFolders.some((folder) => existsSync(join(folder, file)))) return true;
  return existsSync(loaderCache) && readFileSync(loaderCache).includes(`${file}\0`);
}
