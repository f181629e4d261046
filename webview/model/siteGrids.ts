/** What every operation within a block gave, block by block. */
import { isWithin, pathBelow, type Stack } from "../../src/present/blocks.ts";
import { groupBy } from "../../src/present/groupBy.ts";
import type { Num, RunReport, Stats, ValueReport } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";
import type { Grid, GridRow, SourcePlace } from "./grid.ts";

export interface SiteGrids {
  readonly forward: Grid;
  readonly backward: Grid;
}

export function siteGrids(report: RunReport, stack: Stack): SiteGrids {
  const sites = withLabels(withoutRepeats(sitesOf(report, stack)));
  const grid = (
    title: string,
    definition: string,
    of: (value: ValueReport) => Stats | null,
  ): Grid => ({
    title,
    definition,
    across: t("block"),
    columns: stack.blocks.map(({ label }) => label),
    rows: sites.map(
      ({ label, place, values }): GridRow => ({
        label,
        place,
        values: values.map((value) => (value === null ? null : rmsOf(of(value)))),
      }),
    ),
  });
  return {
    forward: grid(
      t("Forward RMS"),
      t("root mean square of what the operation gave"),
      ({ activation }) => activation,
    ),
    backward: grid(
      t("Gradient RMS"),
      t("root mean square of the loss's gradient with respect to it"),
      ({ gradient }) => gradient,
    ),
  };
}

const rmsOf = (stats: Stats | null): Num | null => stats?.rms ?? null;

interface Site {
  /** Path of the module within its block; "" is the block itself. */
  readonly below: string;
  readonly op: string;
  readonly place: SourcePlace;
  /** Of the last pass of each block. */
  readonly values: readonly (ValueReport | null)[];
}

/** In the order of their first run. */
function sitesOf(report: RunReport, { blocks }: Stack): Site[] {
  const placed = report.values.flatMap((value) => {
    const { module } = value;
    if (module === null) return [];
    const depth = blocks.findIndex(({ block }) => isWithin(module, block.path));
    const block = blocks[depth]?.block;
    return block === undefined
      ? []
      : [{ value, depth, below: module === block.path ? "" : pathBelow(module, block.path) }];
  });
  const groups = groupBy(placed, ({ value, below }) => {
    const { file, line, column, endLine, endColumn, op, output } = value;
    return JSON.stringify([below, file, line, column, endLine, endColumn, op, output]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { file, line, op } = first.value;
    const values = blocks.map(
      (_, depth) => group.findLast((it) => it.depth === depth)?.value ?? null,
    );
    return { below: first.below, op, place: { file, line }, values };
  });
}

/** A view or a transpose has the numbers of what it was taken of: one row says them. */
function withoutRepeats(sites: readonly Site[]): Site[] {
  const seen = new Set<string>();
  return sites.filter(({ values }) => {
    const numbers = values.map((value) => [value?.activation, value?.gradient]);
    const key = JSON.stringify(numbers);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** "attn.q_proj" where one operation ran there, "ffn gelu" or "add :80" where there are several. */
function withLabels(sites: readonly Site[]): (Site & { readonly label: string })[] {
  const byModule = groupBy(sites, ({ below }) => below);
  const named = sites.map((site) => {
    const isOnly = site.below !== "" && byModule.get(site.below)?.length === 1;
    const label = isOnly ? site.below : `${site.below} ${site.op}`.trim();
    return { ...site, label };
  });
  const byLabel = groupBy(named, ({ label }) => label);
  return named.map((site) =>
    byLabel.get(site.label)?.length === 1
      ? site
      : { ...site, label: `${site.label} :${site.place.line}` },
  );
}
