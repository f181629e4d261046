/** docs/torch.md: the calls of PyTorch that are supported, and how many recorded cases check each. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CallRow, callTable } from "../../src/trace/host.ts";

export const path = "docs/torch.md";

export function text(root = process.cwd()): string {
  const counts = casesByName(join(root, "test/golden/calls"));
  const rows = callTable()
    .filter((row) => !row.in.every((place) => place === "torch._C"))
    .toSorted((a, b) => placed(a).localeCompare(placed(b)));
  return [
    "# Supported calls of PyTorch",
    "",
    "<!-- Written by npm run gen from src/trace/calls, python/torch and test/golden/calls: do not edit. -->",
    "",
    "A call that is not here stops the run at its line, and the message names the nearest that is.",
    "*In place* says that the call with an underscore exists too. *Cases* counts calls whose result,",
    "type, gradients or error were recorded from PyTorch 2.15 and are compared in the tests.",
    "",
    `## Functions and methods (${rows.length})`,
    "",
    "| Call | Where | In place | Cases |",
    "| --- | --- | --- | --- |",
    ...rows.map((row) => functionRow(row, counts)),
    "",
    ...layers(join(root, "python/torch/nn/modules")),
    "",
    readFileSync(join(root, "scripts/gen/torchDifferences.md"), "utf8"),
  ].join("\n");
}

/** Calls of one name stand in the order of their places. */
const placed = ({ name, in: places }: CallRow): string => `${name} ${places.join()}`;

function functionRow({ name, in: places, inPlace }: CallRow, counts: ReadonlyMap<string, number>) {
  const where = places.filter((place) => place !== "torch._C").join(", ");
  return `| ${name.replaceAll("_", "\\_")} | ${where} | ${inPlace ? "yes" : ""} | ${counts.get(name) ?? ""} |`;
}

/** "torch.nn.functional.relu" and "Tensor.relu_" both count for relu. */
function casesByName(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of readdirSync(folder)) {
    const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as { name: string }[];
    for (const { name } of cases) {
      const last = name.split(".").at(-1) ?? name;
      const call = last.startsWith("__") ? last : last.replace(/_$/, "");
      counts.set(call, (counts.get(call) ?? 0) + 1);
    }
  }
  return counts;
}

function layers(folder: string): string[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(".py"))
    .flatMap((file) => exported(readFileSync(join(folder, file), "utf8")))
    .toSorted((a, b) => a.localeCompare(b));
  return [`## Layers of torch.nn (${names.length})`, "", names.join(", ")];
}

function exported(source: string): string[] {
  const list = /^__all__ = \[([^\]]*)\]/m.exec(source)?.[1] ?? "";
  return [...list.matchAll(/"([A-Za-z0-9_]+)"/g)].map((match) => match[1] ?? "");
}
