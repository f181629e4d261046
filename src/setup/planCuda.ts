/** What a set-up of CUDA would do here: found out before anything is fetched or written. */
import { cudaSetupFailed, cudaSetupLacks } from "../errors.ts";
import { type Driver, findDriver, hasNvidiaGpu, majorsOf } from "../runtime/cuda/driver.ts";
import {
  cudaHome,
  type RuntimePackage,
  recordedFolders,
  runtimePackage,
} from "../runtime/cuda/home.ts";
import {
  type CudaMajor,
  cudaLibraries,
  cudaMajors,
  hasCuda,
  oldestDriver,
} from "../runtime/cuda/libraries.ts";
import { librariesCommand, noDriver, wrongSystem } from "../runtime/cuda/problem.ts";
import { type Environment, findLibraries, type SearchResult } from "../runtime/cuda/search.ts";
import { driverRemedy } from "../runtime/remedies.ts";
import { localSource, remoteSource, type Source } from "./source.ts";

export interface SetupOptions {
  readonly env: Environment;
  /** A file of this package. */
  readonly packageFile: string;
  readonly workspaces: readonly string[];
  /** A wheel or a folder to take the provider from; null: the way that works here. */
  readonly from: string | null;
  /** Without a driver too: for an image that is made on one machine and runs on another. */
  readonly force: boolean;
}

export interface CudaPlan {
  readonly cuda: CudaMajor;
  readonly runtime: RuntimePackage;
  readonly source: Source;
  /** Absolute path of the folder that it goes to. */
  readonly target: string;
  readonly driver: Driver;
  readonly libraries: SearchResult;
}

/** Throws `setup/…` where something is missing that a set-up does not bring. */
export async function planCuda(options: SetupOptions): Promise<CudaPlan> {
  const { env, packageFile, workspaces, from, force } = options;
  if (!hasCuda()) throw cudaSetupFailed(wrongSystem(), null);
  const runtime = runtimePackage(packageFile);
  if (runtime === null)
    throw cudaSetupFailed("this package of Normscope has no ONNX Runtime", null);
  const driver = findDriver(env);
  if (!driver.isThere && !force)
    throw cudaSetupLacks(noDriver, hasNvidiaGpu() === false ? null : driverRemedy());
  const target = cudaHome(env, runtime.version);
  const recorded = recordedFolders(target, null);
  const choices = majorsOf(driver).map((cuda) => ({
    cuda,
    libraries: findLibraries(cudaLibraries[cuda], { env, workspaces, recorded }),
  }));
  const [choice] = choices.sort((a, b) => a.libraries.missing.length - b.libraries.missing.length);
  if (choice === undefined) {
    const oldest = Math.min(...cudaMajors.map((major) => oldestDriver[major]));
    const found = `NVIDIA's driver is ${driver.version}; CUDA 12 needs ${oldest} or newer`;
    throw cudaSetupLacks(found, driverRemedy());
  }
  const { missing } = choice.libraries;
  if (missing.length > 0) {
    const names = missing.map(({ file }) => file).join(", ");
    throw cudaSetupLacks(`CUDA ${choice.cuda} lacks ${names}`, librariesCommand(missing, target));
  }
  const source = from === null ? null : localSource(from);
  const places = { env, workspaces };
  return {
    ...choice,
    runtime,
    source: source ?? (await remoteSource(choice.cuda, runtime, places)),
    target,
    driver,
  };
}
