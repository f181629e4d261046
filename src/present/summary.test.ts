import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import { deviceAndWhy, factTable, modelName, summary } from "./summary.ts";

test("says what was run, on what, and how long it took", () => {
  const facts = summary(preReport()).map(({ label, text }) => `${label}: ${text}`);
  expect(facts.join("\n")).toMatchInlineSnapshot(`
    "model: PreLNTransformer  n_layers=4  d_model=64
    input: idx int64[4, 32]: uniform integers below 256
    loss: 5.913  (next-token cross-entropy)
    blocks: 4 × Pre-LN
    device: cpu  (cuda: libcuda.so.1: cannot open shared object file)
    graph: 233 k parameters, 1234 nodes, 61.3 M FLOPs
    time: 392 ms: trace 212 ms, build 83 ms, session 42 ms, run 9.7 ms
    seed: 0, eval mode"
  `);
});

test("a device that was asked for is named as such; a script is named by its file", () => {
  const report = preReport();
  const device = { requested: "cpu", provider: "cpu", passedOver: [] };
  expect(deviceAndWhy({ ...report, device })).toBe("cpu  (as asked)");
  expect(modelName({ ...report, source: { ...report.source, entry: null } })).toBe("pre.py");
});

test("what all sides have in common is said once", () => {
  const sides = [preReport(), postReport()].map((report) => ({
    name: report.blocks[0]?.placement ?? "",
    report,
    files: [],
  }));
  const { rows } = factTable(sides);
  expect(
    rows.map((row) => row.map(({ text }) => text).join(" | ")).join("\n"),
  ).toMatchInlineSnapshot(`
    "model | Pre-LN | PreLNTransformer  n_layers=4  d_model=64
     | Post-LN | PostLNTransformer  n_layers=4  d_model=64
    input | both | idx int64[4, 32]: uniform integers below 256
    loss | Pre-LN | 5.913  (next-token cross-entropy)
     | Post-LN | 5.987  (next-token cross-entropy)
    blocks | Pre-LN | 4 × Pre-LN
     | Post-LN | 4 × Post-LN
    device | both | cpu  (cuda: libcuda.so.1: cannot open shared object file)
    graph | both | 233 k parameters, 1234 nodes, 61.3 M FLOPs
    time | both | 392 ms: trace 212 ms, build 83 ms, session 42 ms, run 9.7 ms
    seed | both | 0, eval mode"
  `);
});
