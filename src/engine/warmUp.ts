/**
 * A tracer that waits runs a small decoder that is built in, as if Python had called it: V8 then has
 * compiled what a request needs when one comes.
 */
import { allocate, type HostArray } from "../graph/tensor.ts";
import type { RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import type { HostFunctions } from "../trace/host.ts";
import type { PythonInstance } from "../trace/python/boot.ts";
import { createTracer, type Script } from "../trace/traceScript.ts";
import type { Stages } from "./answerRequest.ts";
import { runProgram } from "./runProgram.ts";
import type { RunQuestion, RuntimeAnswer } from "./runtimeQuestion.ts";

/** As often as it takes V8 to find out what is called often. */
const rounds = 4;
const [batch, seq, width, heads, layers, vocabulary] = [2, 8, 16, 2, 3, 32];

export function warmUp(): void {
  for (let round = 0; round < rounds; round++) runSmallModel();
}

/** The report has zeros for what a runtime would compute. */
export function runSmallModel(): RunReport {
  const { host, run } = createTracer({ evaluate: ({ shape }) => zeros(shape) });
  const value = () => ({ loss: smallModel(host), mode: "eval", backward: true });
  const python: PythonInstance = {
    open: () => undefined,
    call: (module) => ({ ok: true, value: module === "normscope_boot.printed" ? "[]" : value() }),
  };
  return runProgram(request, run(python, script), stages, { start: 0, traceMs: 0 });
}

const zeros = (shape: readonly number[]) =>
  allocate(
    "float32",
    shape.reduce((a, b) => a * b, 1),
  );

const script: Script = {
  path: "/model.py",
  plan: null,
  workspace: { root: "/", scriptFolder: "/" },
  seed: 0,
  mode: null,
};

const request: RunRequest = {
  ...{ root: "/", file: "model.py", entry: null, set: {}, inputs: [], loss: null },
  ...{ seed: 0, mode: null, packages: null },
  device: "cpu",
};

/** The answer of a runtime whose numbers are all 0. */
const answer = ({ model }: RunQuestion): RuntimeAnswer => ({
  results: new Map(
    model.outputs.map(({ id, dtype, shape }): [number, HostArray] => [
      id,
      {
        dtype,
        shape,
        data: allocate(
          dtype,
          shape.reduce((a, b) => a * b, 1),
        ),
      },
    ]),
  ),
  filled: new Map(),
  memory: null,
  device: { requested: "cpu", provider: "cpu", passedOver: [] },
  sessionMs: 0,
  runMs: 0,
});

const stages: Stages = {
  ...{ fillWorker: "", threads: 1, version: "" },
  trace: () => {
    throw new Error("internal: there is no Python to trace");
  },
  fill: () => undefined,
  ask: answer,
  begin: (question) => () => answer(question),
  progress: () => undefined,
  estimate: null,
  training: null,
};

/** Returns the loss. Signatures are those of python/torch/_host.py: a letter for each argument. */
function smallModel(host: HostFunctions): number {
  const site = host.site("/model.py", 1, 0, 1, 1, "forward");
  const call = (name: string, signature: string, ...values: unknown[]): number =>
    host.call(name, site, signature, ...values) as number;
  const parameters: { id: number; name: string; aliases: string[] }[] = [];
  const weight = (name: string, ...shape: number[]): number => {
    const id = host.parameter(
      filled(host, "float32", shape, (i) => (i % 7) / 7),
      true,
    );
    parameters.push({ id, name, aliases: [] });
    return id;
  };
  const table = weight("wte", vocabulary, width);
  const blocks = Array.from({ length: layers }, (_, layer) => {
    const named = (name: string, ...shape: number[]) => weight(`h.${layer}.${name}`, ...shape);
    return {
      norm: [named("ln.weight", width), named("ln.bias", width)],
      attend: [named("attn.weight", 3 * width, width), named("attn.bias", 3 * width)],
      widen: [named("up.weight", 4 * width, width), named("up.bias", 4 * width)],
      narrow: [named("down.weight", width, 4 * width), named("down.bias", width)],
    };
  });
  const tokens = filled(host, "int64", [batch, seq], (i) => i % vocabulary);
  host.begin_step(JSON.stringify(parameters));

  const inModule = (path: string, name: string, input: number, forward: () => number): number => {
    host.enter(path, name, "/model.py", 1, String(input), "");
    const output = forward();
    host.exit("", String(output));
    return output;
  };
  const normed = (x: number, norm: readonly number[]) =>
    call("layer_norm", "t[i]tt", x, width, ...norm);
  const attended = (x: number, weights: readonly number[]): number => {
    const parts = call("split", "tii", call("linear", "ttt", x, ...weights), width, 2);
    const [q, k, v] = String(parts)
      .split(",")
      .map((part) => {
        const split = call("view", "tiiii", Number(part), batch, seq, heads, width / heads);
        return call("transpose", "tii", split, 1, 2);
      });
    const y = call("scaled_dot_product_attention", "tttkb", q, k, v, "is_causal", true);
    const joined = call("contiguous", "t", call("transpose", "tii", y, 1, 2));
    return call("view", "tiii", joined, batch, seq, width);
  };

  return inModule("", "Model", tokens, () => {
    let x = call("embedding", "tt", tokens, table);
    for (const [layer, { norm, attend, widen, narrow }] of blocks.entries())
      x = inModule(`h.${layer}`, "Block", x, () => {
        const y = call("add", "tt", x, attended(normed(x, norm), attend));
        const wide = call("gelu", "t", call("linear", "ttt", normed(y, norm), ...widen));
        return call("add", "tt", y, call("linear", "ttt", wide, ...narrow));
      });
    const logits = call("view", "tii", call("linear", "tt", x, table), batch * seq, vocabulary);
    return call("cross_entropy", "tt", logits, call("view", "ti", tokens, batch * seq));
  });
}

function filled(
  host: HostFunctions,
  dtype: string,
  shape: readonly number[],
  number: (i: number) => number,
): number {
  const count = shape.reduce((a, b) => a * b, 1);
  return host.from_text(
    dtype,
    shape.join(),
    Array.from({ length: count }, (_, i) => number(i)).join(),
  );
}
