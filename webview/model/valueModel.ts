/** One value of a run: which ones there are to choose from, and what is known of the chosen one. */
import { valuesByOperation } from "../../src/present/lineNotes.ts";
import { formatShape } from "../../src/present/number.ts";
import type { DetailReport } from "../../src/protocol/engine.ts";
import type { Stats, ValueReport } from "../../src/protocol/report.ts";
import type { ShownRun, ValueOfRun } from "../../src/protocol/webview.ts";
import type { SourcePlace } from "./grid.ts";
import type { ValueDetail } from "./session.ts";

export interface ValueModel {
  readonly runId: string;
  readonly sites: readonly ValueSite[];
  readonly chosen: ChosenValue | null;
}

/** An operation of the source. */
export interface ValueSite {
  readonly label: string;
  readonly passes: readonly ValuePass[];
}

export interface ValuePass {
  readonly label: string;
  /** Position in the report's values. */
  readonly index: number;
}

export interface ChosenValue {
  readonly value: ValueOfRun;
  readonly title: string;
  readonly place: SourcePlace;
  readonly type: string;
  readonly activation: Stats;
  readonly gradient: Stats | null;
  /** null while it has not been asked for. */
  readonly answer: { readonly detail: DetailReport | null } | null;
}

/** null while nothing has been run. */
export function valueModel(
  shown: readonly ShownRun[],
  value: ValueOfRun | null,
  answer: ValueDetail | null,
): ValueModel | null {
  const run = shown.find(({ summary }) => summary.id === value?.runId) ?? shown[0];
  if (run === undefined) return null;
  const { values } = run.report;
  const runId = run.summary.id;
  const indexOf = new Map(values.map((it, index) => [it, index]));
  const sites = valuesByOperation(values).map((group): ValueSite => {
    const [first] = group;
    return {
      label: first === undefined ? "" : siteLabel(first),
      passes: group.map((it, i) => ({ label: passLabel(it, i), index: indexOf.get(it) ?? 0 })),
    };
  });
  const passes = sites.flatMap((site) => site.passes.slice(0, 1));
  // Indices and masks come first in many models, and say little.
  const first = passes.find((pass) => values[pass.index]?.gradient) ?? passes[0];
  const index = value?.runId === runId ? value.index : (first?.index ?? -1);
  const chosen = values[index];
  if (chosen === undefined) return { runId, sites, chosen: null };
  const isAnswered = answer?.value.runId === runId && answer.value.index === index;
  return { runId, sites, chosen: chosenValue(runId, index, chosen, isAnswered ? answer : null) };
}

const chosenValue = (
  runId: string,
  index: number,
  { file, line, op, module, dtype, shape, activation, gradient }: ValueReport,
  answer: ValueDetail | null,
): ChosenValue => ({
  value: { runId, index },
  title: module === null || module === "" ? op : `${op}, ${module}`,
  place: { file, line },
  type: `${dtype}${formatShape(shape)}`,
  activation,
  gradient,
  answer: answer === null ? null : { detail: answer.detail },
});

/** "pre_ln.py:79  layer_norm". */
const siteLabel = ({ file, line, op, output }: ValueReport): string =>
  `${file}:${line}  ${op}${output === 0 ? "" : ` (output ${output})`}`;

const passLabel = ({ module }: ValueReport, i: number): string =>
  module === null || module === "" ? `#${i}` : module;
