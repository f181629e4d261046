/** What a run of training was, and how it ended, as a table. */
import type { NotFinite, TrainReport } from "../../protocol/training.ts";
import { formatCount, formatMs, formatNumber } from "../number.ts";
import { leftColumn, type Table, type Tone, textCell } from "../table.ts";
import { finalLoss } from "./history.ts";

type Fact = readonly [name: string, text: string, tone?: Tone];

export function trainingFacts(report: TrainReport): Table {
  const { source, settings, steps, graph, timing, reference, lossRule } = report;
  const { optimizer, schedule, clip, accumulate, task } = settings;
  const args = Object.entries(source.args).map(([name, value]) => `${name}=${String(value)}`);
  const perStep = timing.trainMs / Math.max(timing.trained, 1);
  const known = [
    reference.unigram === null ? "" : `symbol frequencies ${formatNumber(reference.unigram)}`,
    reference.floor ? `source ${formatNumber(reference.floor)}` : "",
  ].filter((part) => part !== "");
  const facts: Fact[] = [
    ["model", [source.entry ?? source.file, ...args].join(" ")],
    [
      "data",
      task === null
        ? "the script's own batch"
        : `${task.file ?? task.name}, ${settings.batch} × ${settings.seq}`,
    ],
    [
      "loss",
      `${formatNumber(finalLoss(steps))}, mean of the last ${Math.min(20, steps.length)} steps (${lossRule})`,
    ],
    ...(known.length > 0 ? [["known", known.join(", ")] as const] : []),
    [
      "update",
      [
        optimizer.name,
        `lr ${schedule.lr}`,
        `${schedule.name}${schedule.warmup > 0 ? ` after ${schedule.warmup} steps of warm-up` : ""}`,
        ...(clip === null ? [] : [`clipped at ${clip}`]),
        ...(accumulate > 1 ? [`${accumulate} batches a step`] : []),
        ...(optimizer.weightDecay ? [`decay ${optimizer.weightDecay}`] : []),
      ].join(", "),
    ],
    ["graph", `${formatCount(graph.parameters)} parameters, ${graph.nodes} nodes`],
    [
      "time",
      `${timing.trained} steps, ${formatMs(perStep)} each; before: ${formatMs(timing.traceMs + timing.buildMs + timing.sessionMs)}`,
    ],
    endFact(report),
    ...report.notes.map((note): Fact => ["note", note, "dim"]),
  ];
  return {
    title: "Training",
    columns: [leftColumn(""), leftColumn("")],
    rows: facts.map(([name, text, tone]) => [textCell(name, "dim"), textCell(text, tone)]),
  };
}

function endFact({ end, steps }: TrainReport): Fact {
  if (end.reason === "done") return ["end", `step ${end.step}`];
  if (end.reason === "stopped") return ["end", `stopped after step ${end.step}`, "warning"];
  const at = steps.at(-1);
  const loss = at === undefined ? "" : ` (loss ${formatNumber(at.loss)})`;
  return ["end", `not finite at step ${end.step}${loss}: ${originText(end.origin)}`, "error"];
}

/** "model.py:41 matmul in blocks.0.attn, forward". */
export function originText(origin: NotFinite | null): string {
  if (origin === null || origin.file === null)
    return "all values of that batch are finite, the squares of its gradients or the update are not";
  const module = origin.module ? ` in ${origin.module}` : "";
  return `${origin.file}:${origin.line} ${origin.op}${module}, ${origin.pass}`;
}
