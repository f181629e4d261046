/** What CUDA lacks here, as far as files show it: said of all that is missing, not of the first. */
import { installCommand } from "../../protocol/engine.ts";
import { driverRemedy } from "../remedies.ts";
import { findDriver, hasNvidiaGpu } from "./driver.ts";
import {
  cudaHome,
  type InstallRecord,
  installedProvider,
  ownPackages,
  recordedFolders,
  runtimePackage,
} from "./home.ts";
import {
  type CudaLibrary,
  type CudaMajor,
  cudaLibraries,
  cudaMajors,
  hasCuda,
} from "./libraries.ts";
import { type Environment, findLibraries } from "./search.ts";

export interface Problem {
  readonly reason: string;
  /** The one command that mends it; null where there is none. */
  readonly remedy: string | null;
}

export const noDriver = "there is no NVIDIA driver (libcuda.so.1 is missing)";

/** null: all files are there. `env` is that of the engine, `from` a file of this package. */
export function cudaProblem(env: Environment, from: string): Problem | null {
  if (!hasCuda()) return { reason: wrongSystem(), remedy: null };
  const runtime = runtimePackage(from);
  const provider = installedProvider(env, runtime);
  const driver = findDriver(env).isThere ? null : driverProblem();
  if (provider === null) {
    const reason = "the CUDA provider is not installed";
    if (driver === null) return { reason, remedy: installCommand };
    return { ...driver, reason: `${driver.reason}, and ${reason}` };
  }
  const home = cudaHome(env, runtime?.version ?? "");
  const libraries = missingLibraries(env, home, provider.record);
  const problems = [librariesProblem(libraries, home), driver].filter((it) => it !== null);
  if (problems.length === 0) return null;
  const remedies = problems.flatMap(({ remedy }) => remedy ?? []);
  return {
    reason: problems.map(({ reason }) => reason).join(", and "),
    remedy: remedies.length === 0 ? null : remedies.join("; "),
  };
}

export const wrongSystem = (): string =>
  `ONNX Runtime's Node package has CUDA for Linux x64 only; this is ${process.platform} ${process.arch}`;

const driverProblem = (): Problem => ({
  reason: noDriver,
  remedy: hasNvidiaGpu() === false ? null : driverRemedy(),
});

/** Of the version of CUDA that the provider is built for, or of the one of which least is missing. */
function missingLibraries(
  env: Environment,
  home: string,
  record: InstallRecord | null,
): readonly CudaLibrary[] {
  const places = { env, workspaces: [], recorded: recordedFolders(home, record) };
  const majors: readonly CudaMajor[] = record === null ? cudaMajors : [record.cuda];
  const [least = []] = majors
    .map((major) => findLibraries(cudaLibraries[major], places).missing)
    .sort((a, b) => a.length - b.length);
  return least;
}

function librariesProblem(libraries: readonly CudaLibrary[], home: string): Problem | null {
  if (libraries.length === 0) return null;
  const names = libraries.map(({ file }) => file);
  return {
    reason: `${listed(names)} ${names.length === 1 ? "is" : "are"} missing`,
    remedy: librariesCommand(libraries, home),
  };
}

/** Into a folder of Normscope's own: no Python environment needs to be active, or is changed. */
export function librariesCommand(libraries: readonly CudaLibrary[], home: string): string {
  const packages = [...new Set(libraries.map((it) => it.package))];
  return `python3 -m pip install --no-deps --target ${ownPackages(home)} ${packages.join(" ")}`;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
