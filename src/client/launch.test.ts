import { expect, test } from "vitest";
import { describeExit, lastWords } from "./launch.ts";

test("an end is told as what happened", () => {
  expect(describeExit(null, "SIGKILL")).toBe(
    "it was killed (SIGKILL), most often because memory ran out",
  );
  expect(describeExit(null, "SIGABRT")).toBe("it crashed (SIGABRT)");
  expect(describeExit(7, null)).toBe("it stopped with exit code 7");
});

test("of an error output the line that names the error is kept", () => {
  expect(lastWords("loading\nTypeError: x\n    at f (a.js:1)\n\nNode.js v20.20.2\n")).toBe(
    "TypeError: x",
  );
  expect(lastWords("terminate called\n")).toBe("terminate called");
  expect(lastWords("\n")).toBeNull();
});
