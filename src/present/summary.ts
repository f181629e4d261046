/** What was run, on what, and how long it took: the facts above every table. */
import type { RunReport } from "../protocol/report.ts";
import { formatCount, formatMs, formatNumber, formatShape } from "./number.ts";

export interface Fact {
  readonly label: string;
  readonly text: string;
}

export function summary(report: RunReport): Fact[] {
  const { source, inputs, lossRule, graph } = report;
  const args = Object.entries(source.args).map(([name, it]) => `${name}=${JSON.stringify(it)}`);
  const facts: Fact[] = [
    { label: "model", text: [modelName(report), ...args].join("  ") },
    ...inputs.map(({ name, dtype, shape, rule }) => ({
      label: "input",
      text: `${name} ${dtype}${formatShape(shape)}: ${rule}`,
    })),
    { label: "loss", text: `${formatNumber(report.loss, { digits: 4 })}  (${lossRule})` },
    { label: "device", text: deviceAndWhy(report) },
    {
      label: "graph",
      text: [
        `${formatCount(graph.parameters)} parameters`,
        `${formatCount(graph.nodes)} nodes`,
        `${formatCount(graph.flops)} FLOPs`,
      ].join(", "),
    },
    { label: "time", text: times(report) },
    { label: "seed", text: `${source.seed}, ${source.mode} mode` },
  ];
  return facts;
}

/** "PreLNTransformer", or the file of a script. */
export const modelName = ({ source }: RunReport): string => source.entry ?? source.file;

/** `cpu (cuda: libcuda.so.1 is missing)`: the provider, and why it is not an earlier one. */
export function deviceAndWhy({ device }: RunReport): string {
  const reasons = device.passedOver.map(({ provider, reason }) => `${provider}: ${reason}`);
  if (reasons.length > 0) return `${device.provider}  (${reasons.join("; ")})`;
  return device.requested === "auto" ? device.provider : `${device.provider}  (as asked)`;
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
