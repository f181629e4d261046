import { expect, test } from "vitest";
import { preReport } from "../../test/fixtures/reports.ts";
import type { RunReport } from "../protocol/report.ts";
import { type ListedModule, type ModuleOrder, moduleList } from "./moduleList.ts";

const finding = (module: string, severity: "warning" | "error") => ({
  code: "NS1",
  severity,
  message: "",
  file: null,
  line: null,
  module,
  evidence: {},
});
const report: RunReport = {
  ...preReport(),
  findings: [finding("blocks.1.attn", "warning"), finding("blocks.3", "error")],
};
const list = (filter = "", order: ModuleOrder = "source") => moduleList(report, filter, order);
const find = (root: ListedModule, path: string): ListedModule | null =>
  root.path === path
    ? root
    : root.children.reduce<ListedModule | null>((found, it) => found ?? find(it, path), null);
const names = (module: ListedModule | null) => module?.children.map(({ name }) => name);

test("without a filter all modules are there", () => {
  const { root, matches } = list();
  expect(matches).toBeGreaterThan(30);
  expect(find(root, "blocks.1")).toMatchObject({ isBlock: true, findings: 1, worst: "warning" });
  expect(root).toMatchObject({ path: "", findings: 2, worst: "error" });
});

test("a filter keeps what matches, and the way to it", () => {
  const { root, matches } = list("blocks.2.ffn");
  expect(matches).toBeGreaterThan(0);
  expect(names(root)).toEqual(["blocks"]);
  expect(names(find(root, "blocks"))).toEqual(["2"]);
  expect(list("LayerNorm").matches).toBe(
    report.modules.filter((module) => module.class === "LayerNorm").length,
  );
  expect(list("nothing of that kind")).toMatchObject({ matches: 0, root: { children: [] } });
});

test("the gravest and the largest come first where that is asked", () => {
  expect(names(find(list("", "severity").root, "blocks"))).toEqual(["3", "1", "0", "2"]);
  const byForward = find(list("", "forward").root, "blocks")?.children ?? [];
  const values = byForward.map(({ forward }) => Number(forward));
  expect(values).toEqual(values.toSorted((a, b) => b - a));
});
