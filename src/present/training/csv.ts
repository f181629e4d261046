/** A run of training as comma-separated values: one row a step (RFC 4180). */
import type { TrainReport } from "../../protocol/training.ts";
import { columnsOf } from "./history.ts";

export function trainingCsv(report: TrainReport): string {
  const of = columnsOf(report);
  const names = report.steps[0] ? of(report.steps[0]).map(([name]) => name) : [];
  const rows = report.steps.map((step) => [step.step, ...of(step).map(([, value]) => value)]);
  return [["step", ...names.map(quoted)], ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

const quoted = (text: string): string =>
  /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
