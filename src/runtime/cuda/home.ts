/** Where the CUDA provider is kept: outside of the package, so that an update leaves it there. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type CudaMajor, hasCuda, providerFiles, runtimeFile } from "./libraries.ts";
import { type Environment, foldersOfPackages } from "./search.ts";

/** What a set-up leaves beside the libraries, as install.json. */
export interface InstallRecord {
  readonly onnxruntime: string;
  readonly cuda: CudaMajor;
  /** File, folder or package that the libraries came from. */
  readonly source: string;
  /** SHA-256 of each file, by name. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Where the CUDA libraries were found. */
  readonly libraryFolders: readonly string[];
}

/** onnxruntime-node as it is seen from a file of this package. */
export interface RuntimePackage {
  readonly version: string;
  /** Folder of its native libraries for this system. */
  readonly folder: string;
}

/** null where the package is not there. */
export function runtimePackage(from: string): RuntimePackage | null {
  try {
    const file = createRequire(from).resolve("onnxruntime-node/package.json");
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
    const folder = join(dirname(file), "bin/napi-v6", process.platform, process.arch);
    return { version, folder };
  } catch {
    return null;
  }
}

/** One folder for each version of ONNX Runtime: a provider fits no other. */
export function cudaHome(env: Environment, version: string): string {
  const cache = env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache");
  return join(cache, "normscope", "cuda", version);
}

/** Where CUDA libraries are kept that are fetched for Normscope alone: a folder of Python packages. */
export const ownPackages = (home: string): string => join(home, "python");

export const recordFile = "install.json";

/** Where the provider is that the engine would load; null: nowhere. */
export function installedProvider(
  env: Environment,
  runtime: RuntimePackage | null,
): { readonly folder: string; readonly record: InstallRecord | null } | null {
  if (runtime === null || !hasCuda()) return null;
  const isWhole = (folder: string, files: readonly string[]) =>
    files.every((file) => existsSync(join(folder, file)));
  const home = cudaHome(env, runtime.version);
  if (isWhole(home, [...providerFiles, runtimeFile]))
    return { folder: home, record: readRecord(home) };
  return isWhole(runtime.folder, providerFiles) ? { folder: runtime.folder, record: null } : null;
}

/** Where a set-up found CUDA libraries, and those that were fetched for Normscope alone. */
export const recordedFolders = (home: string, record: InstallRecord | null): string[] => [
  ...foldersOfPackages(ownPackages(home)),
  ...(record?.libraryFolders ?? []),
];

function readRecord(folder: string): InstallRecord | null {
  try {
    return JSON.parse(readFileSync(join(folder, recordFile), "utf8")) as InstallRecord;
  } catch {
    return null;
  }
}
