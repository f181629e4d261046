/** Where the backward pass first makes a gradient that is not finite, and which operation's backward it is. */

import type { TorchCall } from "../graph/graph.ts";
import type { Finding, Stats, ValueReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { counted, type Evidence, readersOf } from "./evidence.ts";

const nonFinite = ({ nan, posInf, negInf }: Stats): number => nan + posInf + negInf;

export function firstGradient(evidence: Evidence): Finding[] {
  const values = evidence.values;
  const first = values.findLast(({ report: { gradient } }) => gradient && nonFinite(gradient) > 0);
  const gradient = first?.report.gradient;
  if (!first || !gradient) return [];
  const { file, line, op, module } = first.report;
  const byCall = new Map(values.map(({ traced, report }) => [traced.call.id, report]));
  const made = readersOf(evidence, first.traced.value)
    .map((call) => ({ call, result: byCall.get(call.id) }))
    .find(({ result }) => result?.gradient && nonFinite(result.gradient) === 0);
  const hurt = evidence.report.parameters
    .filter((parameter) => parameter.gradient && nonFinite(parameter.gradient) > 0)
    .map(({ name }) => name);
  const what = `the gradient of ${op} has ${nonFinite(gradient)} values that are not finite`;
  const why = made ? `, made by the backward of ${reasonOf(made.call, first.report)}` : "";
  const at = made?.call.site ?? { file, line };
  return [
    {
      code: "numbers/gradient",
      severity: "error",
      message: `The backward pass breaks here: ${what}${why}. ${spreadText(hurt)}`,
      file: at.file,
      line: at.line,
      module,
      evidence: {
        "not finite": nonFinite(gradient),
        "gradient of": `${op}, line ${line}`,
        ...(made && { "made by": `${made.call.op}, line ${made.call.site.line}` }),
        parameters: hurt.join(", "),
      },
    },
  ];
}

/** The slope of a root at 0 is infinite, and 0 · ∞ is NaN. */
function reasonOf({ op, site }: TorchCall, { activation }: ValueReport): string {
  const place = `${op} (line ${site.line})`;
  if (steepAtZero.has(op) && fromNum(activation.min) === 0)
    return `${place}, which is infinitely steep at the zeros that it gets: 0 · ∞ is NaN`;
  if (op.includes("matmul") || op === "bmm" || op === "einsum")
    return `${place}, whose other operand is not finite: 0 · NaN is NaN`;
  return place;
}

const steepAtZero = new Set(["sqrt", "rsqrt", "pow", "log", "norm", "reciprocal", "div"]);

const spreadText = (names: readonly string[]): string =>
  names.length === 0
    ? "No parameter's gradient is hurt."
    : `${counted(names.length, "parameter")} would become NaN at the first step: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}.`;
