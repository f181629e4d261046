/** A run that ended at a loss or gradient that is not finite. */
import type { Finding } from "../protocol/report.ts";
import { figure } from "./evidence.ts";
import { lossesOf, type TrainedEvidence } from "./trainedEvidence.ts";

export function trainedNotFinite({ run, lossPlace }: TrainedEvidence): Finding[] {
  const { end, steps } = run;
  if (end.reason !== "not-finite") return [];
  const { origin } = end;
  const last = steps.at(-1);
  const before = lossesOf(steps).findLast(Number.isFinite) ?? Number.NaN;
  const isLoss = last !== undefined && typeof last.loss === "string";
  const what = isLoss ? "The loss" : "A gradient";
  const maker =
    origin === null || origin.file === null
      ? "all values of that batch are finite, the squares of its gradients or the update are not"
      : `${origin.op} was the first to make such a number (${origin.pass})`;
  const place =
    origin === null || origin.file === null ? lossPlace : { file: origin.file, line: origin.line };
  return [
    {
      code: "training/not-finite",
      severity: "error",
      message: `${what} was not finite at step ${end.step}: ${maker}`,
      ...place,
      module: origin?.module ?? null,
      evidence: {
        step: end.step,
        loss: last?.loss ?? "NaN",
        gradient: last?.gradient ?? "NaN",
        "last finite loss": Number(figure(before)),
        lr: last?.lr ?? Number.NaN,
      },
    },
  ];
}
