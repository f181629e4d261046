/** Dropout that is active though the model is in evaluation mode. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export function randomInEval(evidence: Evidence): Finding[] {
  const { program, structure } = evidence;
  if (program.mode !== "eval") return [];
  return [...dropoutInEval(evidence), ...oncePerLine(structure.nodes.flatMap(ofPath(structure)))];
}

export function dropoutInEval({ structure }: Evidence): Finding[] {
  const calls = new Set<number>();
  return oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      if (!call || calls.has(call.id) || !isDropout(node)) return [];
      calls.add(call.id);
      const remedy = call.op.includes("attention")
        ? "dropout_p holds in evaluation too: pass self.dropout if self.training else 0.0"
        : "F.dropout needs training=self.training; nn.Dropout knows it";
      return [
        {
          code: "model/dropout-in-eval",
          severity: "warning",
          message: `Dropout is active in evaluation mode: each call gives another result. ${remedy}`,
          ...callPlace(call),
          evidence: { op: call.op },
        },
      ];
    }),
  );
}

/** A product with a mask of 0 and one number above 1. */
function isDropout({ op, inputs, origin: { call } }: Node): boolean {
  const name = call?.op ?? "";
  if (op !== "Mul" || !(name.includes("dropout") || name.includes("attention"))) return false;
  return inputs.some((value) => {
    const data = value?.role === "constant" ? value.data : null;
    const kept = data?.find((x) => Number(x) !== 0);
    if (!data || data.length < 2 || kept === undefined || Number(kept) <= 1) return false;
    return data.some((x) => Number(x) === 0) && data.every((x) => x === kept || Number(x) === 0);
  });
}

/** Branches multiplied by a mask that has one number for each sample, made of nothing: stochastic depth. */
const ofPath =
  ({ producers }: Evidence["structure"]) =>
  (node: Node): Finding[] => {
    const { op, inputs, outputs, origin } = node;
    const [out] = outputs;
    const mask = inputs.find((value) => value !== null && isOfSamples(value, out));
    const branch = inputs.find((value) => value !== mask);
    if (op !== "Mul" || !origin.call || !out || !mask || branch?.role !== "node") return [];
    const kept = Math.max(...Array.from(mask.data ?? [], Number));
    const around = [producers.makers.get(branch.id), ...producers.readersOf(out)];
    const isScaled = kept > 1 || around.some((one) => one !== undefined && isEnlarged(one));
    if (!isScaled || kept > mostKept) return [];
    const { call } = origin;
    return [
      {
        code: "model/dropout-in-eval",
        severity: "warning",
        message: `A branch is multiplied by a number for each of ${mask.shape[0]} samples that is 0 or ${kept > 1 ? figure(kept) : "1, and divided by the share that is kept"}: samples lose it by chance in evaluation mode too. Stochastic depth returns its input unless self.training`,
        ...callPlace(call),
        evidence: { op: call.op, samples: mask.shape[0] ?? 0 },
      },
    ];
  };

/** One over the smallest share that is kept. */
const mostKept = 4;

/** A constant [batch, 1, …] of zeros and one other number, beside what has a stream's axes. */
function isOfSamples({ role, data, shape }: Value, out: Value | undefined): boolean {
  const [samples = 1, ...rest] = shape;
  const isColumn = samples > 1 && rest.length > 1 && rest.every((size) => size === 1);
  if (role !== "constant" || !data || !isColumn || out?.shape.length !== shape.length) return false;
  const kept = Math.max(...Array.from(data, Number));
  return kept >= 1 && data.every((x) => Number(x) === kept || Number(x) === 0);
}

/** A quotient by a number between 0 and 1. */
function isEnlarged({ op, inputs: [, by] }: Node): boolean {
  const share = by?.role === "constant" && numel(by.shape) === 1 ? Number(by.data?.[0]) : 1;
  return op === "Div" && share > 0 && share < 1;
}
