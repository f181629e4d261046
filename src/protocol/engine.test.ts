import { expect, test } from "vitest";
import { NormscopeError, torchError } from "../errors.ts";
import { errorData, errorFromData } from "./engine.ts";

test("an error is the same on the other side", () => {
  const place = { file: "a.py", line: 3, column: 4 };
  const error = new NormscopeError("trace/shape-mismatch", "no", { place, hint: "try" });
  expect(errorFromData(structuredClone(errorData(error)))).toMatchObject({
    code: "trace/shape-mismatch",
    message: "no",
    place,
    hint: "try",
    pythonType: null,
    stack: error.stack,
  });
  expect(errorFromData(errorData(torchError("ValueError", "no"))).pythonType).toBe("ValueError");
});

test("what is no error of ours is a bug, whatever was thrown", () => {
  expect(errorData(new RangeError("deep"))).toMatchObject({ code: "internal", message: "deep" });
  expect(errorData("thrown text")).toMatchObject({ code: "internal", message: "thrown text" });
});
