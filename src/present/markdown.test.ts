import { expect, test } from "vitest";
import { escapeMarkdown, markdownTable } from "./markdown.ts";
import { leftColumn, rightColumn, textCell } from "./table.ts";

const table = (names: readonly string[]) => ({
  title: "",
  columns: [leftColumn("module"), rightColumn("RMS", "forward")],
  rows: names.map((name) => [textCell(name), textCell("1")]),
});

test("columns are aligned and carry their group", () => {
  expect(markdownTable(table(["a"]), 9)).toBe(
    "| module | forward RMS |\n| :--- | ---: |\n| a | 1 |",
  );
});

test("of many rows the first and the last are shown", () => {
  const shown = markdownTable(table(["a", "b", "c", "d", "e", "f"]), 4)
    .split("\n")
    .slice(2);
  expect(shown.map((row) => row.split(" ")[1])).toEqual(["a", "b", "…", "f"]);
});

test("text stays text", () => {
  expect(escapeMarkdown("<img onerror=x> **a** | [b](c) $(x)\nd")).toBe(
    "&lt;img onerror=x&gt; \\*\\*a\\*\\* \\| \\[b\\]\\(c\\) \\$\\(x\\) d",
  );
});
