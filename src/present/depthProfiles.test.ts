import { expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { depthProfiles } from "./depthProfiles.ts";
import { formatNumber } from "./number.ts";

const printed = (report: RunReport): string =>
  depthProfiles(report)
    .map(({ stack, placement, labels, series }) =>
      [
        `${stack} ${placement} ${labels.join(" ")}`,
        ...series.map(
          ({ id, label, values }) =>
            `${id}: ${label}: ${values.map((it) => (it === null ? "–" : formatNumber(it))).join(" ")}`,
        ),
      ].join("\n"),
    )
    .join("\n");

test("follows a stack of Pre-LN blocks", () => {
  expect(printed(preReport())).toMatchInlineSnapshot(`
    "blocks Pre-LN 0 1 2 3
    streamRms: residual stream RMS: 1.45 1.79 2.07 2.32
    branchRatio.0: attn / stream: 0.350 0.247 0.202 0.175
    branchRatio.1: ffn / stream: 0.620 0.438 0.358 0.310
    outputGradient: gradient at block output: 2.00e-3 1.41e-3 1.15e-3 1.00e-3
    ffnWeightGradient: FFN weight gradient: 0.358 0.253 0.207 0.179
    backwardGain: backward gain: 1.20 1.20 1.20 1.20"
  `);
});

test("follows a stack of Post-LN blocks", () => {
  expect(printed(postReport())).toMatchInlineSnapshot(`
    "blocks Post-LN 0 1 2 3
    streamRms: residual stream RMS: 1.00 1.00 1.00 1.00
    branchRatio.0: attn / stream: 0.340 0.340 0.340 0.340
    branchRatio.1: ffn / stream: 0.710 0.710 0.710 0.710
    outputGradient: gradient at block output: 4.00e-4 6.40e-4 1.02e-3 1.64e-3
    ffnWeightGradient: FFN weight gradient: 0.0717 0.115 0.184 0.294
    backwardGain: backward gain: 0.630 0.630 0.630 0.630"
  `);
});

test("two stacks are two profiles", () => {
  const report = preReport();
  const blocks = report.blocks.map((block, i) => ({
    ...block,
    path: i < 2 ? `encoder.${i}` : `decoder.${i - 2}`,
    placement: i === 1 ? "Post-LN" : block.placement,
  }));
  expect(
    depthProfiles({ ...report, blocks }).map(({ stack, placement, labels }) => ({
      stack,
      placement,
      labels,
    })),
  ).toEqual([
    { stack: "encoder", placement: "mixed", labels: ["0", "1"] },
    { stack: "decoder", placement: "Pre-LN", labels: ["0", "1"] },
  ]);
});

test("no block, no profile", () => {
  expect(depthProfiles({ ...preReport(), blocks: [] })).toEqual([]);
});
