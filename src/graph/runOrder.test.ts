import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import type { Value } from "./graph.ts";
import { inRunOrder, packOutputs } from "./runOrder.ts";

/** A chain of `length` values, each followed by its sum, as [1, 1]. */
function chainWithSums(length: number) {
  const emit = createEmitter();
  let x: Value = emit.input(
    { dtype: "float32", shape: [2, 3] },
    { role: "input", name: "x", requiresGrad: false, data: null },
  );
  const sums: Value[] = [];
  for (let at = 0; at < length; at++) {
    x = emit.op("Softmax", [x]);
    sums.push(emit.op("ReduceSum", [x, null], { keepdims: 1 }));
  }
  return { nodes: emit.nodes, sums, last: x };
}

test("writes ends first and backwards, the others in order", () => {
  const { nodes } = chainWithSums(3);
  const written = inRunOrder(nodes).map((node) => nodes.indexOf(node));
  // The last value's own node has a user: its sum.
  expect(written).toEqual([5, 3, 1, 0, 2, 4]);
});

test("packs outputs of one element", () => {
  const { nodes, sums, last } = chainWithSums(70);
  const { nodes: all, packed } = packOutputs(nodes, [...sums, last]);
  expect(packed.has(last)).toBe(false);
  const packs = all.filter((node) => node.op === "Concat");
  expect(packs.map((node) => node.outputs[0]?.shape)).toEqual([
    [64, 1],
    [6, 1],
  ]);
  for (const sum of sums) {
    const at = packed.get(sum);
    expect(packs.find((node) => node.outputs[0] === at?.pack)?.inputs[at?.index ?? -1]).toBe(sum);
  }
  // A pack stands directly after its last member.
  expect(all.findIndex((node) => node.op === "Concat")).toBe(128);
});

test("leaves a single scalar, scalars of rank 0 and used values alone", () => {
  const { nodes, sums } = chainWithSums(1);
  expect(packOutputs(nodes, sums).nodes).toEqual(nodes);
  const { nodes: chain, last } = chainWithSums(2);
  expect(packOutputs(chain, [last]).packed.size).toBe(0);
});
