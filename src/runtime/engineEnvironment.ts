/** The environment that the engine's process must start with: native libraries read it only once. */
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** What to add to `given`. */
export function engineEnvironment(given: Environment): Record<string, string> {
  return {
    // TF32 keeps ten bits of a factor's mantissa: results would not be PyTorch's.
    NVIDIA_TF32_OVERRIDE: "0",
    ...libraryPath(given),
  };
}

/** PyTorch's Python environment, if one is active, brings the CUDA libraries along. */
function libraryPath(given: Environment): Record<string, string> {
  if (process.platform !== "linux") return {};
  const found = [given["VIRTUAL_ENV"], given["CONDA_PREFIX"]].flatMap((prefix) =>
    prefix ? cudaFolders(prefix) : [],
  );
  if (found.length === 0) return {};
  const before = given["LD_LIBRARY_PATH"];
  return { LD_LIBRARY_PATH: [...(before ? [before] : []), ...found].join(delimiter) };
}

function cudaFolders(prefix: string): string[] {
  return foldersIn(join(prefix, "lib"))
    .filter((folder) => /python3\.\d+$/.test(folder))
    .flatMap((python) => foldersIn(join(python, "site-packages", "nvidia")))
    .map((part) => join(part, "lib"))
    .filter((folder) => existsSync(folder));
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}
