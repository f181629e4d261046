/** What rules look at: the numbers of a run, and the structure that they were measured on. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import type { Finding, Num, RunReport, ValueReport } from "../protocol/report.ts";
import type { BlockSpread } from "../stats/blockSpread.ts";
import type { CachedAttention } from "../stats/cachedKeys.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import type { Padding } from "../stats/padding.ts";
import type { OperandFault } from "../stats/rotary.ts";
import type { Structure } from "../stats/structure.ts";
import type { TracedProgram, TracedValue } from "../trace/program.ts";
import type { Limits } from "./limits.ts";

export interface Evidence {
  readonly report: Omit<RunReport, "findings">;
  readonly program: TracedProgram;
  readonly structure: Structure;
  readonly limits: Limits;
  /** In the order of the calls. */
  readonly values: readonly Measured[];
  /** By the id of the value that holds the numbers, the first that has them. */
  readonly bySource: ReadonlyMap<number, Measured>;
  /** What a change of one position of one sample changes, by block; empty: not looked at. */
  readonly spreads: readonly BlockSpread[];
  /** What a change of one row of an input changes in the whole model; empty: not looked at. */
  readonly modelSpreads: readonly ModelSpread[];
  /** What positions and groups do wrongly to queries, keys and values. */
  readonly operandFaults: readonly OperandFault[];
  /** Self-attention by the weights of its keys, with what a cache brought to each. */
  readonly cached: ReadonlyMap<number, readonly CachedAttention[]>;
  /** Padding of the inputs and what masks and loss do with it. */
  readonly padding: Padding;
  /** The text of a file of the workspace; null: it cannot be read. */
  textOf(file: string): string | null;
}

export type Rule = (evidence: Evidence) => Finding[];

/** A value of the report and what the trace knows of it. */
export interface Measured {
  readonly report: ValueReport;
  readonly traced: TracedValue;
}

/** The report of the numbers that a value of the graph holds, in whatever order; null: not measured. */
export const measuredAs = ({ structure, bySource }: Evidence, value: Value): ValueReport | null =>
  bySource.get(structure.sourceOf(value).value.id)?.report ?? null;

/** Where a finding stands that is about a call. */
export const callPlace = ({ site: { file, line }, module }: TorchCall) => ({ file, line, module });

/** Back to where numbers were made, past what only picks some of them. */
export function madeBefore(
  { structure }: Evidence,
  value: Value,
): { value: Value; node: Node | null } {
  let node = structure.producers.makerOf(value);
  let at = value;
  while (node && ["Slice", "Gather", "Cast", "Split", "GatherND"].includes(node.op)) {
    const [input] = node.inputs;
    if (!input) break;
    at = input;
    node = structure.producers.makerOf(input);
  }
  return { value: at, node };
}

/** The torch calls that read a value, under whatever shape. */
export function readersOf({ structure }: Pick<Evidence, "structure">, value: Value): TorchCall[] {
  const { producers } = structure;
  const calls = new Map<number, TorchCall>();
  const open = [value];
  for (let one = open.pop(); one; one = open.pop())
    for (const node of producers.readersOf(one)) {
      const { call } = node.origin;
      if (call) calls.set(call.id, call);
      if (isView(node)) open.push(...node.outputs);
    }
  return [...calls.values()];
}

const isView = ({ op }: Node): boolean =>
  ["Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity"].includes(op);

/** "0.0204", "3.4", "1.2e-7", "12": three digits are what a reader compares. */
export function figure(num: Num): string {
  if (typeof num === "string") return num;
  if (Number.isInteger(num) && Math.abs(num) < 1e6) return `${num}`;
  const size = Math.abs(num);
  return size >= 1e-3 && size < 1e5 ? `${Number(num.toPrecision(3))}` : num.toExponential(1);
}

/** "1 row", "12 rows". */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** "lines 18 and 20", each line once. */
export function linesText(lines: readonly number[]): string {
  const own = [...new Set(lines)].sort((a, b) => a - b);
  const last = own.pop();
  return own.length === 0 ? `line ${last}` : `lines ${own.join(", ")} and ${last}`;
}
