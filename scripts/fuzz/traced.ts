/** Normscope's side of the fuzzer: many programs in one traced step, their numbers in one run. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addGradients } from "../../src/autodiff/addGradients.ts";
import { createEvaluator } from "../../src/engine/evaluateOnDemand.ts";
import { invariant, NormscopeError } from "../../src/errors.ts";
import type { Node, Value } from "../../src/graph/graph.ts";
import type { HostArray } from "../../src/graph/tensor.ts";
import { createRuntime } from "../../src/runtime/run.ts";
import { leafValue } from "../../src/trace/gradientsWithin.ts";
import { createHost } from "../../src/trace/host.ts";
import { typeOf } from "../../src/trace/promotion.ts";
import { startPython } from "../../src/trace/python/boot.ts";
import { createSession, type Session } from "../../src/trace/session.ts";
import { landedShape } from "../../src/trace/turnedLeaves.ts";
import { backwardIn, hooksOf } from "../../src/trace/walkHooks.ts";
import { runOnHost } from "../../test/calls/runOnHost.ts";
import type { Answer, Numbers, Program } from "./oracle.ts";

const runtime = createRuntime({ threads: 1 });

interface Read {
  readonly value: Value;
  readonly dtype: string;
  readonly shape: readonly number[];
}

interface Recorded {
  readonly tensors: Map<string, Read & { readonly grad: boolean }>;
  readonly values: Map<string, string>;
  readonly errors: Map<string, readonly [string, string]>;
  firstNode: number;
  loss: { readonly total: Value; readonly leaves: readonly number[] } | null;
  gradients: (Read | null)[];
}

const scriptOf = (harness: string): string => `${harness}
import json
from torch._host import host


class Recorder:
    def begin(self, number):
        host.fuzz_begin(number)

    def tensor(self, label, tensor):
        host.fuzz_tensor(label, tensor._id, tensor.requires_grad)

    def value(self, label, text):
        host.fuzz_value(label, text)

    def error(self, label, kind, text):
        host.fuzz_error(label, kind, text)

    def backward(self, total, leaves):
        host.fuzz_backward(total._id, ",".join(str(leaf._id) for leaf in leaves))


with open(__file__.replace("fuzz_script.py", "programs.json")) as file:
    PROGRAMS = json.load(file)


def build():
    return Model(PROGRAMS)


_step = step


def step(model):
    return _step(model, PROGRAMS, Recorder())
`;

/** What each program gives. */
export async function trace(
  programs: readonly Program[],
  harness: string,
  assets: string,
): Promise<Answer[]> {
  const folder = mkdtempSync(join(tmpdir(), "normscope-fuzz-"));
  try {
    writeFileSync(join(folder, "fuzz_script.py"), scriptOf(harness));
    writeFileSync(join(folder, "programs.json"), JSON.stringify(programs));
    return await traceFolder(folder, assets);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function traceFolder(folder: string, assets: string): Promise<Answer[]> {
  const session = createSession({ evaluate: createEvaluator(runOnHost) });
  const recorded: Recorded[] = [];
  const python = await startPython({
    assets,
    host: { ...createHost(session), ...recorder(session, recorded) } as never,
  });
  const workspace = { root: folder, scriptFolder: folder };
  python.open(workspace);
  session.root = folder;
  const path = join(folder, "fuzz_script.py");
  const script = { path, plan: null, workspace, seed: 0, mode: null };
  session.walkHooks = hooksOf(session, python, script);
  session.runBackward = backwardIn(session, python, script);
  const ran = python.call("torch._run", "run", path, null, 0, "train");
  if (!ran.ok) throw new Error(`the programs did not run: ${ran.error.text}`);
  const nodes = [...session.emit.nodes];
  recorded.forEach((one, at) => {
    const end = recorded[at + 1]?.firstNode ?? nodes.length;
    differentiate(session, one, nodes.slice(one.firstNode, end));
  });
  const answers: Answer[] = [];
  for (const one of recorded) answers.push(await answerOf(session, one));
  return answers;
}

function recorder(session: Session, recorded: Recorded[]) {
  const { store } = session;
  const current = (): Recorded => {
    const one = recorded.at(-1);
    invariant(one, "a program has begun");
    return one;
  };
  return {
    fuzz_begin() {
      recorded.push({
        tensors: new Map(),
        values: new Map(),
        errors: new Map(),
        firstNode: session.emit.nodes.length,
        loss: null,
        gradients: [],
      });
    },
    fuzz_tensor(label: string, id: number, grad: boolean) {
      const tensor = store.tensorOf(id);
      const value = store.read(tensor);
      current().tensors.set(label, { value, dtype: typeOf(tensor), shape: tensor.shape, grad });
    },
    fuzz_value(label: string, text: string) {
      current().values.set(label, text);
    },
    fuzz_error(label: string, kind: string, text: string) {
      current().errors.set(label, [kind, text]);
    },
    fuzz_backward(total: number, leaves: string) {
      current().loss = {
        total: store.read(store.tensorOf(total)),
        leaves: leaves.split(",").map(Number),
      };
    },
  };
}

function differentiate(session: Session, one: Recorded, nodes: readonly Node[]): void {
  if (one.loss === null) return;
  const { total, leaves } = one.loss;
  try {
    const inputs = leaves.flatMap((id) => session.entered.get(id) ?? []);
    const graph = { inputs, nodes, outputs: [] };
    const { gradientAfterHooks } = addGradients(graph, total, session.emit, session.walkHooks);
    one.gradients = leaves.map((id) => {
      const tensor = session.store.tensorOf(id);
      const value = leafValue(session, tensor);
      const gradient = value && gradientAfterHooks(value);
      if (!gradient) return null;
      const isTurned = value && session.store.turnedLeaves.has(value.id);
      const shape = isTurned ? landedShape(value.shape, tensor) : tensor.shape;
      return { value: gradient, dtype: typeOf(tensor), shape };
    });
  } catch (error) {
    one.errors.set("backward", errorPair(error));
  }
}

const errorPair = (error: unknown): readonly [string, string] =>
  error instanceof NormscopeError
    ? [error.pythonType ?? error.code, error.message]
    : ["internal", String(error)];

async function answerOf(session: Session, one: Recorded): Promise<Answer> {
  const graph = { inputs: session.graphInputs, nodes: session.emit.nodes, outputs: [] };
  const reads = [...one.tensors.values(), ...one.gradients.filter((read) => read !== null)];
  const made = reads.map(({ value }) => value).filter(({ role }) => role === "node");
  const numbers = new Map<number, HostArray>();
  try {
    const arrays = made.length > 0 ? await runtime.evaluateGraph(graph, made) : [];
    arrays.forEach((array, at) => {
      numbers.set((made[at] as Value).id, array);
    });
  } catch (error) {
    one.errors.set("runtime", errorPair(error));
    one.tensors.clear();
  }
  const encode = ({ value, dtype, shape }: Read): Numbers => {
    const data = numbers.get(value.id)?.data ?? value.data;
    return { dtype, shape, data: data ? Array.from(data, encodeNumber) : [] };
  };
  return {
    tensors: Object.fromEntries(
      [...one.tensors].map(([label, read]) => [label, { ...encode(read), grad: read.grad }]),
    ),
    values: Object.fromEntries(one.values),
    errors: Object.fromEntries(one.errors),
    gradients: one.gradients.map((read) => read && encode(read)),
  };
}

const encodeNumber = (x: number): number | string =>
  Number.isFinite(x) ? x : Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
