import { expect, test } from "vitest";
import { runOnHost } from "../../test/calls/runOnHost.ts";
import type { Arg } from "../trace/arguments.ts";
import * as calls from "../trace/calls/index.ts";
import { runCall } from "../trace/dispatch.ts";
import { beginStep, createSession } from "../trace/session.ts";
import type { Tensor } from "../trace/tensor.ts";
import { createEvaluator } from "./evaluateOnDemand.ts";

/** A step whose graphs run on the host; `ran` has the operators of each evaluation. */
function start() {
  const ran: string[][] = [];
  const evaluate = createEvaluator((graph) => {
    ran.push(graph.nodes.map(({ op }) => op));
    return runOnHost(graph);
  });
  const session = createSession({ evaluate });
  const { store } = session;
  const x = store.fromNumbers(
    { dtype: "float32", isComplex: false },
    [2, 3],
    Float32Array.of(0.5, -1, 2, 1.5, 0, -0.5),
  );
  x.entersAs = "input";
  beginStep(session, []);
  const call = (name: string, ...args: readonly Arg[]): Tensor => {
    const spec = Object.values(calls as object).find((one) => one.name === name);
    return runCall(session, spec, name, { positional: args, keywords: new Map() }) as Tensor;
  };
  return { session, store, x, call, ran };
}

const half = { kind: "float", value: 0.5 } as const;

test("runs what a number depends on, and no more", () => {
  const { store, x, call, ran } = start();
  const y = call("exp", x);
  call("sin", y);
  expect(Array.from(store.numbers(call("sum", y)))).toEqual([expect.closeTo(15.4939, 4)]);
  expect(ran).toEqual([["Exp", "ReduceSum"]]);
});

test("does not compute again what a living tensor showed", () => {
  const { store, x, call, ran } = start();
  const y = call("exp", x);
  const first = Array.from(store.numbers(call("sum", y)));
  expect(Array.from(store.numbers(call("sum", call("mul", y, half))))).toEqual([
    (first[0] as number) / 2,
  ]);
  expect(ran).toEqual([
    ["Exp", "ReduceSum"],
    ["Mul", "ReduceSum"],
  ]);
});

test("computes masks of known numbers on the host", () => {
  const { store, x, call, ran } = start();
  const isLarge = call("gt", call("exp", x), { kind: "float", value: 1 });
  expect(Array.from(store.numbers(isLarge))).toEqual([1, 0, 1, 1, 0, 0]);
  expect(Array.from(store.numbers(call("logical_not", isLarge)))).toEqual([0, 1, 0, 0, 1, 1]);
  expect(ran).toEqual([["Exp", "Greater"]]);
});

test("runs each layer once where every layer is looked at", () => {
  const { store, x, call, ran } = start();
  let stream = x;
  for (let layer = 0; layer < 12; layer++) {
    const before = stream;
    stream = call("add", before, call("tanh", call("sin", before)));
    store.numbers(call("gt", stream, half));
    if (before !== x) store.release(before.id);
  }
  expect(ran.map((ops) => ops.length)).toEqual(new Array(12).fill(4));
});
