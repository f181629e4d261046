import { expect, test } from "vitest";
import { parseEquation } from "./einsum.ts";

const ofRanks = (...ranks: number[]) =>
  ranks.map((rank) => ({ dtype: "float32", shape: new Array<number>(rank).fill(2) }) as const);

const spelled = (text: string, ...ranks: number[]): string => {
  const { inputs, output } = parseEquation(text, ofRanks(...ranks));
  return `${inputs.map((term) => term.join("")).join(",")}->${output.join("")}`;
};

test("spells an ellipsis in spare letters, aligned at the right", () => {
  expect(spelled("...ij, ...jk -> ...ik", 4, 3)).toBe("ABij,Bjk->ABik");
});

test("without an arrow gives the letters that occur once, in order", () => {
  expect(spelled("cb,ba", 2, 2)).toBe("cb,ba->ac");
  expect(spelled("ii", 2)).toBe("ii->");
});

test("says which operand does not fit", () => {
  expect(() => spelled("ij,jk->ik", 2)).toThrowErrorMatchingInlineSnapshot(
    `[NormscopeError: Einsum "ij,jk->ik" needs 2 operands; got 1]`,
  );
  expect(() => spelled("ij,jk->ik", 2, 3)).toThrowErrorMatchingInlineSnapshot(
    `[NormscopeError: Einsum "ij,jk->ik" needs operand 1 with the axes 'jk'; got rank 3]`,
  );
});
