/** Whether a provider runs here: found out by running a tiny model on it, in a process that may die of it. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { encodeModel } from "../graph/encode.ts";
import type { Value } from "../graph/graph.ts";
import { missingRuntime } from "./installed.ts";
import type { Provider } from "./provider.ts";

/** null: it works; else what is missing. */
export async function probe(provider: Provider): Promise<string | null> {
  const missing = missingRuntime();
  if (missing !== null || provider === "cpu") return missing;
  const entry = createRequire(import.meta.url).resolve("onnxruntime-node");
  if (provider === "cuda") {
    const reason = cudaFilesMissing(entry);
    if (reason !== null) return reason;
  }
  const { code, signal, stderr } = await runTinyModel(entry, provider);
  return code === 0 ? null : reasonIn(stderr, provider, signal);
}

/** Starting a process only to learn that a file is not there would cost every run a moment. */
function cudaFilesMissing(entry: string): string | null {
  if (process.platform !== "linux" || process.arch !== "x64")
    return `ONNX Runtime's Node package has CUDA for Linux x64 only; this is ${process.platform} ${process.arch}`;
  const folder = join(dirname(entry), "../bin/napi-v6/linux/x64");
  const missing = ["libonnxruntime_providers_shared.so", "libonnxruntime_providers_cuda.so"].filter(
    (file) => !existsSync(join(folder, file)),
  );
  return missing.length === 0
    ? null
    : `the CUDA provider is not installed (${missing.join(" and ")})`;
}

const timeoutMs = 60_000;

/** Prints the error's message and exits with 1 where the provider cannot compute 1 + 1. */
const program = `
  const [entry, provider, model] = process.argv.slice(1);
  const { InferenceSession, Tensor } = require(entry);
  (async () => {
    const bytes = Buffer.from(model, "base64");
    const session = await InferenceSession.create(bytes, { executionProviders: [provider] });
    const one = new Tensor("float32", Float32Array.of(1), [1]);
    const results = await session.run({ [session.inputNames[0]]: one });
    const sum = results[session.outputNames[0]].data[0];
    if (sum !== 2) throw new Error("it computes 1 + 1 = " + sum);
  })().catch((error) => {
    process.stderr.write("\\n" + error.message, () => process.exit(1));
  });
`;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

function runTinyModel(entry: string, provider: Provider): Promise<Ended> {
  const model = Buffer.from(tinyModel()).toString("base64");
  const child = spawn(process.execPath, ["-e", program, entry, provider, model], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: timeoutMs,
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, signal: null, stderr: error.message }));
    child.once("close", (code, signal) => resolve({ code, signal, stderr }));
  });
}

function tinyModel(): Uint8Array {
  const value = (id: number, role: Value["role"]): Value => ({
    id,
    role,
    dtype: "float32",
    shape: [1],
    requiresGrad: false,
    data: null,
    name: null,
  });
  const x = value(0, "input");
  const y = value(1, "node");
  const origin = { direction: "forward", call: null, group: null } as const;
  const node = { op: "Add", inputs: [x, x], outputs: [y], attrs: {}, origin };
  return encodeModel({ inputs: [x], nodes: [node], outputs: [y] }).bytes;
}

/** Native code names the missing library on stderr; the JavaScript error, the last line, does not. */
export function reasonIn(
  stderr: string,
  provider: Provider,
  signal: NodeJS.Signals | null = null,
): string {
  const libraries = [...stderr.matchAll(/([\w.+-]+): cannot open shared object file/g)].map(
    (match) => match[1] ?? "",
  );
  if (libraries.includes("libcuda.so.1"))
    return "there is no NVIDIA driver (libcuda.so.1 is missing)";
  if (libraries.length > 0) return `${[...new Set(libraries)].join(" and ")} is missing`;
  if (signal === "SIGTERM") return `it did not answer within ${timeoutMs / 1000} s`;
  if (signal !== null) return `it ended the process that tried it (${signal})`;
  if (stderr.includes("backend not found"))
    return `ONNX Runtime has no '${provider}' provider for ${process.platform} ${process.arch}`;
  const lines = stderr.trim().split("\n");
  const reason = lines.findLast((line) => line.trim() !== "") ?? "it failed without a reason";
  return reason.replace(/^.* was false\. /, "");
}
