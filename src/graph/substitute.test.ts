import { expect, test } from "vitest";
import { createEmitter } from "../ops/emitter.ts";
import { substitute } from "./substitute.ts";

test("reads another value in the place of one, and leaves other nodes as they are", () => {
  const emit = createEmitter();
  const options = { role: "input", name: null, requiresGrad: false, data: null } as const;
  const [a, b] = [0, 1].map(() => emit.input({ dtype: "float32", shape: [2] }, options));
  if (!a || !b) throw new Error("two inputs");
  emit.op("Add", [a, a]);
  emit.op("Neg", [b]);
  const [sum, negative] = substitute(emit.nodes, new Map([[a, b]]));
  expect(sum?.inputs).toEqual([b, b]);
  expect(negative).toBe(emit.nodes[1]);
});
