import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import { reportDigest } from "./reportDigest.ts";

test("tells what was run, its depth profile, its lines and its findings", () => {
  const text = reportDigest(preReport());
  expect(text).toContain("model: PreLNTransformer  n_layers=4  d_model=64");
  expect(text).toContain("Over the blocks of blocks (Pre-LN), first to last:");
  expect(text).toMatch(/^24: → /m);
  expect(text).toContain("No findings.");
  expect(text.length).toBeLessThan(6000);
});

test("a module's numbers stand in for those over depth", () => {
  const text = reportDigest(preReport(), { module: "blocks.2" });
  expect(text).toMatch(/^- blocks\.2\.norm1 LayerNorm: \S+ \S+$/m);
  expect(text).not.toContain("blocks.1.");
});

test("lines of other files are left out", () => {
  expect(reportDigest(preReport(), { file: "other.py" })).not.toContain("Lines of");
});
