/** What was run, on what, and how long it took: the facts above every table. */
import type { MemoryReport, RunReport, WeightsInfo } from "../protocol/report.ts";
import { formatBytes, formatCount, formatMs, formatNumber, formatShape } from "./number.ts";
import type { ReportSide } from "./reportSide.ts";
import { structureTexts } from "./structure.ts";
import { type Cell, leftColumn, type Table, textCell } from "./table.ts";

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export function summary(report: RunReport): Fact[] {
  const { source, inputs, graph } = report;
  const args = Object.entries(source.args).map(
    ([name, it]) => `${name}=${typeof it === "string" ? it : JSON.stringify(it)}`,
  );
  return [
    { label: "model", text: [modelName(report), ...args].join("  ") },
    ...inputs.map(({ name, dtype, shape, rule }) => ({
      label: "input",
      text: `${name} ${dtype}${formatShape(shape)}: ${rule}`,
    })),
    { label: "loss", text: lossText(report) },
    ...structureTexts(report),
    { label: "device", text: deviceAndWhy(report) },
    {
      label: "graph",
      text: [
        `${formatCount(graph.parameters)} parameters`,
        `${formatCount(graph.nodes)} nodes`,
        `${formatCount(graph.flops)} FLOPs`,
        ...(report.memory ? [memoryText(report.memory)] : []),
      ].join(", "),
    },
    { label: "time", text: times(report) },
    { label: "seed", text: `${source.seed}, ${source.mode} mode` },
    ...(source.weights ? [{ label: "weights", text: weightsText(source.weights) }] : []),
  ];
}

/** "some 1.2 GB of 21 GB free", and where it is not this machine's, whose. */
function memoryText({ neededBytes, freeBytes, place }: MemoryReport): string {
  const whose = place === "this machine" ? "" : ` on ${place}`;
  return `some ${formatBytes(neededBytes)} of ${formatBytes(freeBytes)} free${whose}`;
}

/** `gpt2.safetensors: 148 tensors, sha256 3f2a…, 1 missing (lm_head.weight)`. */
function weightsText(weights: WeightsInfo): string {
  const { file, format, key, tensors, sha256, missing, unexpected } = weights;
  const parts = [`${formatCount(tensors)} tensors of ${format}`, `sha256 ${sha256.slice(0, 16)}`];
  for (const [what, names] of [
    ["missing", missing],
    ["unexpected", unexpected],
  ] as const)
    if (names.length > 0) parts.push(`${names.length} ${what} (${names.slice(0, 3).join(", ")})`);
  return `${file}${key}: ${parts.join(", ")}`;
}

/** Where the step ended at a gap there is none, and no number to show. */
const lossText = ({ loss, lossRule, gaps }: RunReport): string =>
  loss === "NaN" && gaps.some(({ code }) => code === "trace/gap")
    ? lossRule
    : `${formatNumber(loss, { digits: 4 })}  (${lossRule})`;

/** The facts of all sides: what they have in common once, what differs for each by its name. */
export function factTable(sides: readonly ReportSide[]): Table {
  const perSide = sides.map(({ name, report }) => ({ name, facts: summary(report) }));
  const labels = new Set(perSide.flatMap(({ facts }) => facts.map(({ label }) => label)));
  const common = sides.length > 1 ? [sides.length === 2 ? "both" : "all"] : [];
  const rows = [...labels].flatMap((label): Cell[][] => {
    const texts = perSide.map(({ name, facts }) => ({ name, text: textOf(facts, label) }));
    const [first, ...others] = texts;
    const isCommon = others.every(({ text }) => text === first?.text);
    if (isCommon) return [row(label, [...common, first?.text ?? ""])];
    return texts.map(({ name, text }, i) => row(i === 0 ? label : "", [name, text]));
  });
  return {
    title: "What was run, on what, and how long it took",
    columns: rows[0]?.map(() => leftColumn("")) ?? [],
    rows,
  };
}

const textOf = (facts: readonly Fact[], label: string): string =>
  facts
    .filter((fact) => fact.label === label)
    .map(({ text }) => text)
    .join("; ");

const row = (label: string, texts: readonly string[]): Cell[] => [
  textCell(label, "dim"),
  ...texts.map((text) => textCell(text)),
];

/** "PreLNTransformer", or the file of a script. */
export const modelName = ({ source }: RunReport): string => source.entry ?? source.file;

/**
 * `cpu (cuda: libcudnn.so.9 is missing → pip install …)`: the provider, why it is not an earlier one,
 * and the command that mends it.
 */
export function deviceAndWhy({ device }: RunReport): string {
  const reasons = device.passedOver.map(
    ({ provider, reason, remedy }) => `${provider}: ${reason}${remedy ? ` → ${remedy}` : ""}`,
  );
  const left = (device.elsewhere ?? []).reduce((sum, { nodes }) => sum + nodes, 0);
  const notes = [
    ...reasons,
    ...(reasons.length === 0 && device.requested !== "auto" ? ["as asked"] : []),
    ...(left === 0 ? [] : [`${formatCount(left)} nodes on the CPU`]),
  ];
  return notes.length === 0 ? device.provider : `${device.provider}  (${notes.join("; ")})`;
}

export function times({ timing }: RunReport): string {
  const { traceMs, buildMs, sessionMs, runMs, totalMs } = timing;
  const stages = [
    `trace ${formatMs(traceMs)}`,
    `build ${formatMs(buildMs)}`,
    `session ${formatMs(sessionMs)}`,
    `run ${formatMs(runMs)}`,
  ];
  return `${formatMs(totalMs)}: ${stages.join(", ")}`;
}
