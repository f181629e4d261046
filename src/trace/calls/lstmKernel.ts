/** One layer of an LSTM in bfloat16, as oneDNN rounds it. */
import type { Emit, Value } from "../../graph/graph.ts";
import { reshapeTo, sliceAxis, transpose } from "../../ops/write.ts";
import { bool, optional, tensor } from "../arguments.ts";
import { type Result, torchCall } from "../call.ts";
import { rounded } from "../rounding.ts";
import { isFoldable } from "./keptFactors.ts";

/** What one step leaves: its gates, the states before it, and its cells. */
interface Step {
  readonly gates: readonly [Value, Value, Value, Value];
  readonly hidden: Value;
  readonly before: Value;
  readonly cells: Value;
}

/** x [T, N, I], states [N, H], weights [4H, I] and [4H, H] of the gates i, f, g, o, their biases together [4H]. */
interface Layer {
  readonly x: Value;
  readonly hidden: Value;
  readonly cells: Value;
  readonly ofInput: Value;
  readonly ofHidden: Value;
  readonly bias: Value | null;
}

/** What the backward pass needs; of what is not contiguous PyTorch makes a copy. */
const kept = ["hidden", "cells", "w_ih", "w_hh", "b_ih", "b_hh"] as const;

/**
 * Hochreiter and Schmidhuber 1997. Gates and sums are in single precision; rounded are the sum of the
 * biases, the states, and for the backward pass the gates and what comes back through them.
 */
export const lstmKernel = torchCall({
  name: "lstm_kernel",
  in: ["torch._C"],
  params: {
    input: tensor,
    hidden: tensor,
    cells: tensor,
    w_ih: tensor,
    w_hh: tensor,
    b_ih: optional(tensor),
    b_hh: optional(tensor),
    backwards: bool,
  },
  saves: ({ input }) => (isFoldable(input) ? ["input", ...kept] : kept),
  build: (ctx, args): Result => {
    const { emit } = ctx;
    const read = (given: Parameters<typeof ctx.read>[0] | null) => given && ctx.read(given);
    const [x, hidden, cells] = [ctx.read(args.input), ctx.read(args.hidden), ctx.read(args.cells)];
    const [ofInput, ofHidden] = [ctx.read(args.w_ih), ctx.read(args.w_hh)];
    const biases = [read(args.b_ih), read(args.b_hh)].filter((bias) => bias !== null);
    const inputs = [x, hidden, cells, ofInput, ofHidden, ...biases];
    const order = Array.from({ length: x.shape[0] as number }, (_, at) => at);
    if (args.backwards) order.reverse();
    let layer: Layer = { x, hidden, cells, ofInput, ofHidden, bias: null };
    let steps: Step[] = [];
    const made = emit.grouped(
      inputs,
      () => {
        const bias = biases.length > 0 ? held(emit, emit.op("Add", biases)) : null;
        layer = { ...layer, bias };
        const run = runSteps(emit, layer, order);
        steps = run.steps;
        return [inOrder(emit, run.hidden, order), run.hidden.at(-1) as Value, run.cells];
      },
      (backward, [dy, dh, dc]) => {
        const given = { dy: dy ?? null, dh: dh ?? null, dc: dc ?? null };
        const gradients = gradientsOf(backward, layer, steps, order, given);
        return [...gradients.slice(0, 5), ...biases.map(() => gradients[5] as Value)];
      },
    );
    return made.map((typed) => ({ typed, as: "bfloat16" as const }));
  },
});

const held = (emit: Emit, x: Value): Value => rounded(emit, x, "bfloat16");

/** Row `at` of the first axis, without it. */
const rowOf = (emit: Emit, x: Value, at: number): Value =>
  reshapeTo(emit, sliceAxis(emit, x, 0, at, at + 1), x.shape.slice(1));

/** What the steps gave one after another, by their places in time. */
function inOrder(emit: Emit, given: readonly Value[], order: readonly number[]): Value {
  const rows = order.map((_, time) => given[order.indexOf(time)] as Value);
  const apart = rows.map((row) => reshapeTo(emit, row, [1, ...row.shape]));
  return apart.length === 1 ? (apart[0] as Value) : emit.op("Concat", apart, { axis: 0 });
}

function runSteps(emit: Emit, layer: Layer, order: readonly number[]) {
  const product = emit.op("MatMul", [layer.x, transpose(emit, layer.ofInput, [1, 0])]);
  const ofSteps = layer.bias ? emit.op("Add", [product, layer.bias]) : product;
  const weights = transpose(emit, layer.ofHidden, [1, 0]);
  const size = layer.hidden.shape[1] as number;
  let [hidden, cells] = [layer.hidden, layer.cells];
  const steps: Step[] = [];
  const states: Value[] = [];
  for (const at of order) {
    const sums = emit.op("Add", [rowOf(emit, ofSteps, at), emit.op("MatMul", [hidden, weights])]);
    const gate = (k: number, op: string) =>
      emit.op(op, [sliceAxis(emit, sums, 1, k * size, (k + 1) * size)]);
    const [i, f, g, o] = [
      gate(0, "Sigmoid"),
      gate(1, "Sigmoid"),
      gate(2, "Tanh"),
      gate(3, "Sigmoid"),
    ];
    const kept = emit.op("Mul", [f, cells]);
    const sum = emit.op("Add", [kept, emit.op("Mul", [i, g])]);
    const next = held(emit, sum);
    steps.push({ gates: [i, f, g, o], hidden, before: cells, cells: next });
    cells = next;
    hidden = held(emit, emit.op("Mul", [o, emit.op("Tanh", [sum])]));
    states.push(hidden);
  }
  return { steps, hidden: states, cells };
}

interface Given {
  readonly dy: Value | null;
  readonly dh: Value | null;
  readonly dc: Value | null;
}

/** Of x, both states, both weights, and either bias. */
function gradientsOf(
  emit: Emit,
  layer: Layer,
  steps: readonly Step[],
  order: readonly number[],
  { dy, dh, dc }: Given,
): Value[] {
  let [ofHidden, ofCells] = [dh, dc];
  const none = emit.scalar(0, layer.x.dtype);
  const sums: Value[] = [];
  for (const [k, step] of [...steps.entries()].reverse()) {
    const ofStep = dy && rowOf(emit, dy, order[k] as number);
    const parts = [ofStep, ofHidden].filter((part) => part !== null);
    const d = parts.length === 2 ? emit.op("Add", parts) : (parts[0] ?? none);
    const [gates, cells] = throughStep(emit, step, d, ofCells);
    sums.unshift(gates);
    ofHidden = emit.op("MatMul", [gates, layer.ofHidden]);
    ofCells = cells;
  }
  const all = inOrder(emit, sums, order);
  const [time, batch, width] = all.shape as [number, number, number];
  const rows = transpose(emit, reshapeTo(emit, all, [time * batch, width]), [1, 0]);
  const states = inOrder(
    emit,
    steps.map(({ hidden }) => hidden),
    order,
  );
  const by = (x: Value) =>
    emit.op("MatMul", [rows, reshapeTo(emit, x, [time * batch, x.shape[2] as number])]);
  return [
    held(emit, emit.op("MatMul", [all, layer.ofInput])),
    ofHidden as Value,
    ofCells as Value,
    by(layer.x),
    by(states),
    emit.op("ReduceSum", [all, emit.ints([0, 1])], { keepdims: 0 }),
  ];
}

/** The gradients of the sums of a step's gates [N, 4H], and of the cells before it. */
function throughStep(emit: Emit, step: Step, d: Value, later: Value | null): [Value, Value] {
  const [i, f, g, o] = step.gates.map((gate) => held(emit, gate)) as [Value, Value, Value, Value];
  const times = (...factors: readonly Value[]) =>
    factors.reduce((product, factor) => emit.op("Mul", [product, factor]));
  const one = emit.scalar(1, d.dtype);
  const bend = emit.op("Tanh", [step.cells]);
  const restOf = (x: Value) => emit.op("Sub", [one, times(x, x)]);
  const slope = (gate: Value) => emit.op("Sub", [gate, times(gate, gate)]);
  const here = times(restOf(bend), o, d);
  const cells = later ? emit.op("Add", [later, here]) : here;
  const gates = emit.op(
    "Concat",
    [
      times(g, cells, slope(i)),
      times(step.before, cells, slope(f)),
      times(i, cells, restOf(g)),
      times(bend, d, slope(o)),
    ],
    { axis: 1 },
  );
  return [held(emit, gates), times(cells, f)];
}
