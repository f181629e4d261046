/** Where the CUDA provider's libraries come from: a local file, a Python package, or npm's script. */
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { cudaSetupFailed } from "../errors.ts";
import type { RuntimePackage } from "../runtime/cuda/home.ts";
import { type CudaMajor, providerFiles } from "../runtime/cuda/libraries.ts";
import { type Environment, pythonPrefixes } from "../runtime/cuda/search.ts";
import { hashOfFile } from "../weights/fileReader.ts";
import { runProgram } from "./runProgram.ts";

export type Source =
  | { readonly kind: "folder"; readonly path: string }
  | {
      readonly kind: "wheel";
      readonly path: string;
      readonly bytes: number;
      readonly sha256: string;
    }
  | {
      readonly kind: "package";
      /** "onnxruntime-gpu==1.30.0" */
      readonly name: string;
      readonly python: string;
      readonly url: string;
      /** null: the index does not tell. */
      readonly bytes: number | null;
      readonly sha256: string | null;
    }
  | { readonly kind: "script"; readonly path: string };

/** What was named with --from: a wheel, or a folder with the two libraries. */
export function localSource(from: string): Source {
  const path = resolve(from);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() && /\.(whl|zip|nupkg)$/.test(path))
    return { kind: "wheel", path, bytes: stats.size, sha256: hashOfFile(path) };
  if (stats?.isDirectory() && providerFiles.every((file) => existsSync(join(path, file))))
    return { kind: "folder", path };
  const needed = `a wheel of onnxruntime-gpu, or a folder with ${providerFiles.join(" and ")}`;
  throw cudaSetupFailed(`'${from}' is not ${needed}`, null);
}

/**
 * The index of Python packages has the provider for CUDA 13, onnxruntime-node's script gets the one
 * for CUDA 12. Throws where this machine has neither.
 */
export async function remoteSource(
  major: CudaMajor,
  runtime: RuntimePackage,
  places: { readonly env: Environment; readonly workspaces: readonly string[] },
): Promise<Source> {
  return major === 12 ? scriptSource(runtime) : await packageSource(runtime, places);
}

const hint = "Fetch a wheel of onnxruntime-gpu elsewhere and name it with --from FILE";

function scriptSource(runtime: RuntimePackage): Source {
  const path = join(packageFolder(runtime), "script", "install.js");
  if (existsSync(path)) return { kind: "script", path };
  throw cudaSetupFailed(
    "the provider for CUDA 12 comes with onnxruntime-node's install script, which is not in this package",
    hint,
  );
}

export const packageFolder = ({ folder }: RuntimePackage): string =>
  dirname(dirname(dirname(dirname(folder))));

/** No wheel of another system or Python version is asked for than one that this file can be in. */
export const wheelOptions: readonly string[] = [
  ...["--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", "3.12"],
  ...["manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014"].flatMap((platform) => [
    "--platform",
    `${platform}_x86_64`,
  ]),
];

interface PipReport {
  readonly install: readonly {
    readonly download_info: {
      readonly url: string;
      readonly archive_info?: { readonly hashes?: { readonly sha256?: string } };
    };
  }[];
}

async function packageSource(
  runtime: RuntimePackage,
  places: Parameters<typeof pythonPrefixes>[0],
): Promise<Source> {
  const python = await findPip(pythonPrefixes(places));
  if (python === null) throw cudaSetupFailed("no Python with pip was found to fetch it", hint);
  const name = `onnxruntime-gpu==${runtime.version}`;
  const asked = ["install", "--dry-run", "--quiet", "--report", "-", "--ignore-installed"];
  const words = ["-m", "pip", ...asked, "--target", ".", ...wheelOptions, name];
  const { code, stdout, stderr } = await runProgram(python, words);
  if (code !== 0) throw cudaSetupFailed(`pip does not find ${name}: ${lastLine(stderr)}`, hint);
  const found = (JSON.parse(stdout) as PipReport).install[0]?.download_info;
  if (found === undefined) throw cudaSetupFailed(`pip does not find ${name}`, hint);
  const { url, archive_info } = found;
  const sha256 = archive_info?.hashes?.sha256 ?? null;
  return { kind: "package", name, python, url, bytes: await sizeOf(url), sha256 };
}

async function findPip(prefixes: readonly string[]): Promise<string | null> {
  const own = prefixes.map((prefix) => join(prefix, "bin", "python")).filter(existsSync);
  for (const python of [...own, "python3", "python"]) {
    const { code } = await runProgram(python, ["-m", "pip", "--version"]);
    if (code === 0) return python;
  }
  return null;
}

/** As the server says it; null where it cannot be asked. */
async function sizeOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(10_000) });
    const bytes = Number(answer.headers.get("content-length"));
    return answer.ok && bytes > 0 ? bytes : null;
  } catch {
    return null;
  }
}

export const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim() ?? "";

/** "onnxruntime-gpu==1.30.0 (…/onnxruntime_gpu-1.30.0-….whl)". */
export function sourceText(source: Source): string {
  if (source.kind === "package") return `${source.name} with pip (${basename(source.url)})`;
  if (source.kind === "script") return `onnxruntime-node's install script (${source.path})`;
  return source.path;
}
