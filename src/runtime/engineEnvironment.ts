/** The environment that the engine's process must start with: native libraries read it only once. */
import { delimiter } from "node:path";
import { cudaHome, installedProvider, recordedFolders, runtimePackage } from "./cuda/home.ts";
import { type CudaMajor, cudaLibraries, cudaMajors } from "./cuda/libraries.ts";
import { type Environment, findLibraries, type libraryFolders } from "./cuda/search.ts";

/**
 * What to add to `given`. `enginePath` is a file of this package; `workspaces` are folders whose
 * Python environments may have the CUDA libraries.
 */
export function engineEnvironment(
  given: Environment,
  enginePath: string,
  workspaces: readonly string[] = [],
): Record<string, string> {
  return {
    // TF32 keeps ten bits of a factor's mantissa: results would not be PyTorch's.
    NVIDIA_TF32_OVERRIDE: "0",
    ...libraryPath(given, enginePath, workspaces),
  };
}

/** The libraries of CUDA, and first of all the ONNX Runtime that lies beside the CUDA provider. */
function libraryPath(
  given: Environment,
  enginePath: string,
  workspaces: readonly string[],
): Record<string, string> {
  const runtime = runtimePackage(enginePath);
  const provider = installedProvider(given, runtime);
  if (provider === null) return {};
  const { folder, record } = provider;
  const recorded = recordedFolders(cudaHome(given, runtime?.version ?? ""), record);
  const places = { env: given, workspaces, recorded };
  const before = (given["LD_LIBRARY_PATH"] ?? "").split(delimiter).filter((it) => it !== "");
  const own = folder === runtime?.folder ? [] : [folder];
  const path = [...new Set([...own, ...before, ...foldersFor(places, record?.cuda ?? null)])];
  return path.length === 0 ? {} : { LD_LIBRARY_PATH: path.join(delimiter) };
}

/** Only folders with a library that is needed: others would change what else is loaded. */
function foldersFor(places: Parameters<typeof libraryFolders>[0], major: CudaMajor | null) {
  const majors = major === null ? cudaMajors : [major];
  return majors.flatMap((it) =>
    findLibraries(cudaLibraries[it], places, () => false).found.flatMap(({ folder }) =>
      folder === null ? [] : [folder],
    ),
  );
}
