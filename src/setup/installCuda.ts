/** Fetches the CUDA provider, puts it into place, tries it, and takes it away again if it fails. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { cudaSetupFailed } from "../errors.ts";
import { type InstallRecord, ownPackages, recordFile } from "../runtime/cuda/home.ts";
import { cudaLibraries, providerFiles, runtimeFile } from "../runtime/cuda/libraries.ts";
import { noDriver } from "../runtime/cuda/problem.ts";
import { engineEnvironment } from "../runtime/engineEnvironment.ts";
import { probe } from "../runtime/probe.ts";
import { hashOfFile, withFile } from "../weights/fileReader.ts";
import { readEntry, readZip } from "../weights/zip.ts";
import type { CudaPlan, SetupOptions } from "./planCuda.ts";
import { runProgram } from "./runProgram.ts";
import { lastLine, packageFolder, type Source, sourceText, wheelOptions } from "./source.ts";

export type SetupStage = "fetch" | "unpack" | "check";

export interface InstalledCuda {
  readonly target: string;
  readonly record: InstallRecord;
  /** Why it cannot run yet: only with `force`. */
  readonly pending: string | null;
}

/** Nothing is left behind where it throws, and what was there before is there again. */
export async function installCuda(
  plan: CudaPlan,
  options: SetupOptions,
  progress: (stage: SetupStage) => void,
): Promise<InstalledCuda> {
  const { target } = plan;
  mkdirSync(dirname(target), { recursive: true });
  const work = mkdtempSync(`${target}.new-`);
  const ready = join(work, "ready");
  const before = join(work, "before");
  try {
    mkdirSync(ready);
    progress("fetch");
    const fetched = await fetchSource(plan, join(work, "fetched"));
    progress("unpack");
    takeLibraries(fetched, ready);
    const record = finish(plan, ready);
    const existed = existsSync(target);
    if (existed) renameSync(target, before);
    renameSync(ready, target);
    try {
      if (existsSync(ownPackages(before))) renameSync(ownPackages(before), ownPackages(target));
      progress("check");
      return { target, record, pending: await check(options) };
    } catch (error) {
      if (existsSync(ownPackages(target))) {
        mkdirSync(before, { recursive: true });
        renameSync(ownPackages(target), ownPackages(before));
      }
      rmSync(target, { recursive: true, force: true });
      if (existsSync(before)) renameSync(before, target);
      throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A folder with the libraries, or an archive that holds them. */
async function fetchSource({ source, runtime }: CudaPlan, folder: string): Promise<string> {
  if (source.kind === "folder" || source.kind === "wheel") return source.path;
  mkdirSync(folder);
  if (source.kind === "package") return fetchPackage(source, folder);
  // The script writes beside itself, and this package's own folder is left as it is.
  cpSync(dirname(source.path), join(folder, "script"), { recursive: true });
  const { code, stderr } = await runProgram(process.execPath, [join(folder, "script/install.js")], {
    env: {
      ...process.env,
      ELECTRON_RUN_AS_NODE: "1",
      ONNXRUNTIME_NODE_INSTALL: "cuda12",
      NODE_PATH: dirname(packageFolder(runtime)),
    },
  });
  if (code !== 0) throw cudaSetupFailed(`the install script failed: ${reasonOf(stderr)}`, fromHint);
  return join(folder, "bin/napi-v6/linux/x64");
}

/** Node ends with its stack and version; what was thrown stands above them. */
const reasonOf = (stderr: string): string =>
  /^\w*Error: .*$/m.exec(stderr)?.[0] ?? lastLine(stderr);

const fromHint = "Fetch a wheel of onnxruntime-gpu elsewhere and name it with --from FILE";

async function fetchPackage(
  { python, name, sha256 }: Extract<Source, { kind: "package" }>,
  folder: string,
): Promise<string> {
  const words = ["-m", "pip", "download", "--quiet", "--dest", folder, ...wheelOptions, name];
  const { code, stderr } = await runProgram(python, words);
  const [file] = existsSync(folder) ? readdirSync(folder) : [];
  if (code !== 0 || file === undefined)
    throw cudaSetupFailed(`pip could not fetch ${name}: ${lastLine(stderr)}`, fromHint);
  const path = join(folder, file);
  const found = hashOfFile(path);
  if (sha256 !== null && found !== sha256)
    throw cudaSetupFailed(`${file} has the SHA-256 ${found}; ${sha256} was announced`, fromHint);
  return path;
}

const largestLibrary = 2_000_000_000;

function takeLibraries(from: string, to: string): void {
  if (existsSync(join(from, providerFiles[0]))) {
    for (const file of providerFiles) copyFileSync(join(from, file), join(to, file));
    return;
  }
  withFile(from, (archive) => {
    const entries = [...readZip(archive).values()];
    for (const file of providerFiles) {
      const entry = entries.find(({ name }) => name.endsWith(`/${file}`));
      if (entry === undefined) throw cudaSetupFailed(`'${from}' has no ${file}`, null);
      writeFileSync(join(to, file), readEntry(archive, entry, largestLibrary));
    }
  });
}

/** Checks that the libraries are for this ONNX Runtime and CUDA, and puts beside them what loads them. */
function finish({ runtime, cuda, libraries, source }: CudaPlan, folder: string): InstallRecord {
  const bytes = readFileSync(join(folder, "libonnxruntime_providers_cuda.so"));
  if (!bytes.includes(`${runtime.version}\0`)) {
    const found = /\b1\.\d+\.\d+\b/.exec(sourceText(source))?.[0] ?? "another version";
    throw cudaSetupFailed(
      `ONNX Runtime ${runtime.version} needs its own provider; got ${found}`,
      null,
    );
  }
  const [first] = cudaLibraries[cuda];
  if (first !== undefined && !bytes.includes(`${first.file}\0`))
    throw cudaSetupFailed(
      `the provider is not built for CUDA ${cuda}, which is what was found`,
      null,
    );
  copyFileSync(join(runtime.folder, runtimeFile), join(folder, runtimeFile));
  const names = [...providerFiles, runtimeFile];
  const record: InstallRecord = {
    onnxruntime: runtime.version,
    cuda,
    source: sourceText(source),
    hashes: Object.fromEntries(names.map((name) => [name, hashOfFile(join(folder, name))])),
    libraryFolders: [...new Set(libraries.found.flatMap((it) => it.folder ?? []))],
  };
  for (const name of names) chmodSync(join(folder, name), 0o644);
  writeFileSync(join(folder, recordFile), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** Runs a tiny model as the engine would. null: it works; else what it waits for. */
async function check(options: SetupOptions): Promise<string | null> {
  const { env, packageFile, workspaces, force } = options;
  const added = engineEnvironment(env, packageFile, workspaces);
  const problem = await probe("cuda", { ...env, ...added });
  if (problem === null) return null;
  if (force && problem.reason === noDriver) return problem.reason;
  throw cudaSetupFailed(problem.reason, problem.remedy);
}
