import { expect, test } from "vitest";
import { readFromWebview } from "./webview.ts";

const configuration = {
  uri: "file:///a.py",
  entry: "Net",
  set: { n_layers: "12" },
  inputs: [{ name: "idx", dtype: "int64", shape: [2, 8], below: 256 }],
  loss: null,
  seed: 0,
  mode: null,
  device: "auto",
};

test("what a page sends is read as it is", () => {
  const run = { type: "run", configuration };
  expect(readFromWebview(run)).toEqual(run);
  const save = { type: "save", name: "a.png", content: new Uint8Array([1]) };
  expect(readFromWebview(save)).toEqual(save);
});

test("whatever no page of ours sends is not believed", () => {
  const device = "toaster";
  for (const data of [
    null,
    "run",
    { type: "format" },
    { type: "run" },
    { type: "run", configuration: { ...configuration, device } },
    { type: "cancel", and: "more" },
    { type: "reveal", runId: "1", file: "a.py", line: 1.5 },
  ]) {
    expect(readFromWebview(data)).toBeNull();
  }
});
