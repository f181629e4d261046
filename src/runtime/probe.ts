/** Whether a provider runs here: found out by running a tiny model on it, in a process that may die of it. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";
import { encodeModel } from "../graph/encode.ts";
import type { Value } from "../graph/graph.ts";
import { cudaProblem, noDriver, type Problem } from "./cuda/problem.ts";
import type { Environment } from "./cuda/search.ts";
import { missingRuntime } from "./installed.ts";
import type { Provider } from "./provider.ts";
import { webgpuRemedy } from "./remedies.ts";

/** null: it works; else what is missing. `env` is that of a process that would run on it. */
export async function probe(
  provider: Provider,
  env: Environment = process.env,
): Promise<Problem | null> {
  const missing = missingRuntime();
  if (missing !== null) return { reason: missing, remedy: null };
  if (provider === "cpu") return null;
  // Starting a process only to learn that a file is not there would cost every run a moment.
  const problem = provider === "cuda" ? cudaProblem(env, import.meta.url) : null;
  if (problem !== null) return problem;
  const entry = createRequire(import.meta.url).resolve("onnxruntime-node");
  const { code, signal, stderr } = await runTinyModel(entry, provider, env);
  if (code === 0) return null;
  const reason = reasonIn(stderr, provider, signal);
  return { reason, remedy: provider === "webgpu" ? webgpuRemedy(reason) : null };
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

function runTinyModel(entry: string, provider: Provider, env: Environment): Promise<Ended> {
  const model = Buffer.from(tinyModel()).toString("base64");
  const child = spawn(process.execPath, ["-e", program, entry, provider, model], {
    env: { ...env },
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
  if (libraries.includes("libcuda.so.1")) return noDriver;
  if (libraries.length > 0) return `${[...new Set(libraries)].join(" and ")} is missing`;
  if (signal === "SIGTERM") return `it did not answer within ${timeoutMs / 1000} s`;
  if (signal !== null) return `it ended the process that tried it (${signal})`;
  if (stderr.includes("backend not found"))
    return `ONNX Runtime has no '${provider}' provider for ${process.platform} ${process.arch}`;
  const lines = stderr.trim().split("\n");
  const reason = lines.findLast((line) => line.trim() !== "") ?? "it failed without a reason";
  return reason.replace(/^.* was false\. /, "");
}
