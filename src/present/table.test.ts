import { expect, test } from "vitest";
import { numberCell } from "./table.ts";

test("a cell keeps the number behind its text, and says what is missing or not finite", () => {
  expect(numberCell(0.00031)).toEqual({ text: "3.10e-4", value: 0.00031 });
  expect(numberCell(null)).toEqual({ text: "–", value: null, tone: "dim" });
  expect(numberCell("NaN")).toEqual({ text: "NaN", value: "NaN", tone: "error" });
});
