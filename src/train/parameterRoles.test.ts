import { expect, test } from "vitest";
import type { Value } from "../graph/graph.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { type ParameterRole, parameterRoles } from "./parameterRoles.ts";

type Make = (shape: readonly number[]) => Value;

/** The roles of the parameters that `build` makes, in order. */
function rolesIn(build: (emit: Emitter, parameter: Make, input: Make) => void): ParameterRole[] {
  const emit = createEmitter();
  const made: Value[] = [];
  const fedAs = (role: "parameter" | "input", shape: readonly number[]) =>
    emit.input(
      { dtype: "float32", shape },
      { role, name: null, requiresGrad: role === "parameter", data: null },
    );
  const parameter: Make = (shape) => {
    const value = fedAs("parameter", shape);
    made.push(value);
    return value;
  };
  build(emit, parameter, (shape) => fedAs("input", shape));
  return made.map(parameterRoles(emit.nodes));
}

test("the last product with a parameter gives the logits, those before are matrices", () => {
  expect(
    rolesIn((emit, parameter, input) => {
      const hidden = emit.op("MatMul", [input([2, 3, 4]), parameter([4, 8])]);
      const scaled = emit.op("Mul", [emit.op("Add", [hidden, parameter([8])]), parameter([3, 8])]);
      const placed = emit.op("Add", [scaled, parameter([3, 8])]);
      const turned = emit.op("Transpose", [parameter([16, 8])], { perm: [1, 0] });
      emit.op("MatMul", [placed, turned]);
    }),
  ).toEqual(["matrix", "other", "other", "other", "head"]);
});

test("a weight may stand on the left, and be computed from parameters", () => {
  expect(
    rolesIn((emit, parameter, input) => {
      const mixed = emit.op("MatMul", [parameter([4, 4]), input([2, 4, 8])]);
      const low = emit.op("MatMul", [parameter([8, 2]), parameter([2, 8])]);
      const weight = emit.op("Add", [emit.op("Mul", [parameter([1, 8]), parameter([8, 8])]), low]);
      const hidden = emit.op("MatMul", [mixed, weight]);
      emit.op("MatMul", [hidden, parameter([8, 16])]);
    }),
  ).toEqual(["matrix", "matrix", "matrix", "matrix", "matrix", "head"]);
});

test("learned queries are rows that weights multiply, no weights", () => {
  expect(
    rolesIn((emit, parameter, input) => {
      const queries = emit.op("MatMul", [parameter([4, 8]), parameter([8, 8])]);
      const scores = emit.op("MatMul", [queries, input([2, 8, 5])]);
      emit.op("MatMul", [scores, parameter([5, 3])]);
    }),
  ).toEqual(["other", "matrix", "head"]);
});

test("what rows are looked up in is a table, though it give the logits too", () => {
  expect(
    rolesIn((emit, parameter, input) => {
      const table = parameter([16, 8]);
      const indices = emit.op("Cast", [input([2, 3])], { to: "int64" });
      const rows = emit.op("Gather", [table, indices], { axis: 0 });
      const experts = emit.op("Gather", [parameter([4, 8, 8]), indices], { axis: 0 });
      const column = emit.op("Unsqueeze", [rows, emit.ints([-2])]);
      const routed = emit.op("Squeeze", [emit.op("MatMul", [column, experts]), emit.ints([-2])]);
      emit.op("MatMul", [routed, emit.op("Transpose", [table], { perm: [1, 0] })]);
    }),
  ).toEqual(["table", "matrix"]);
});
