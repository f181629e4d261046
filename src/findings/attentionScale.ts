/** Scores that are not multiplied by 1/√d of a head's width d (Vaswani et al. 2017, section 3.2.1). */

import type { Node, TorchCall, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { FoundAttention } from "../stats/foundAttention.ts";
import { fromNum } from "../stats/moments.ts";
import { callPlace, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const attentionScale = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.structure.attention.flatMap((one): Finding[] => {
      const { scale, headWidth } = one;
      const fault = faultOf(evidence, one);
      if (fault === null || scale === null) return [];
      return [
        {
          code: "attention/scale",
          severity: fault.severity ?? "warning",
          message: fault.message,
          ...callPlace(scalingCall(one)),
          evidence: {
            scale,
            "head width": headWidth,
            "1/√width": headWidth ** -0.5,
            ...fault.more,
          },
        },
      ];
    }),
  );

/** The call that multiplies the scores by a number, the last of them; where there is none, their product. */
function scalingCall({ call, product, treatments }: FoundAttention): TorchCall {
  const factor = treatments.find(({ node, scores }) => isFactor(node, scores));
  return (factor?.node ?? product).origin.call ?? call;
}

const isFactor = ({ op, inputs }: Node, scores: Value): boolean =>
  (op === "Mul" || op === "Div") &&
  inputs.some((one) => one !== scores && one?.data && one.data.every((x) => x === one.data?.[0]));

interface Fault {
  readonly message: string;
  /** Default: warning. */
  readonly severity?: Finding["severity"];
  readonly more: Readonly<Record<string, number>>;
}

function faultOf(evidence: Evidence, attention: FoundAttention): Fault | null {
  const { scale, factors, headWidth, heads, isNormed, operands } = attention;
  if (scale === null || isNormed || headWidth < 2) return null;
  const right = headWidth ** -0.5;
  const query = operands[0];
  const width = (query && inputWidth(evidence, query)) ?? headWidth * heads;
  const wide = [width, headWidth * heads].find(
    (one) => one !== headWidth && isNear(scale, one ** -0.5),
  );
  if (wide !== undefined)
    return {
      message: `Scores are multiplied by ${figure(scale)} = 1/√${wide}, the model's width; queries and keys have ${headWidth} numbers, which asks for 1/√${headWidth} = ${figure(right)}. Scores come out ${figure((wide / headWidth) ** 0.5)} times smaller than usual and the weights more even, which a few models mean (Set Transformer)`,
      more: { "model width": wide },
    };
  if (factors === 2 && isNear(scale, 1 / (2 * headWidth)))
    return {
      message: `Scores are divided by ${headWidth} and by 2, and not by √${headWidth}: they are multiplied by ${figure(scale)}, which should be ${figure(right)}. x / d ** 1 / 2 takes the power first, so that the exponent needs brackets`,
      more: {},
    };
  if (factors >= 2 && isNear(scale, 1 / headWidth))
    return {
      message: `Scores are scaled twice: by ${figure(scale)} = 1/${headWidth} and not by 1/√${headWidth} = ${figure(right)}`,
      more: {},
    };
  const counts = { keys: attention.softmaxSize, heads };
  for (const [noun, count] of Object.entries(counts))
    if (count > 1 && count !== headWidth && isNear(scale, count ** -0.5))
      return {
        message: `Scores are multiplied by ${figure(scale)} = 1/√${count}, by the number of ${noun}; queries and keys have ${headWidth} numbers, which asks for 1/√${headWidth} = ${figure(right)}`,
        more: { [noun]: count },
      };
  if (isNear(scale, 1 / headWidth))
    return {
      severity: "information",
      message: `Scores are multiplied by 1/${headWidth} and not by 1/√${headWidth} = ${figure(right)}: the root is missing, unless learning rates and sizes follow μP, which means 1/d`,
      more: {},
    };
  const roots = [headWidth, width, headWidth * heads].flatMap((one) => [one, one ** 0.5]);
  if (roots.some((root) => isNear(scale, root)))
    return {
      message: `Scores are multiplied by ${figure(scale)} and not by 1/√${headWidth} = ${figure(right)}: a product where a quotient is meant`,
      more: {},
    };
  const std = spreadOf(evidence, attention);
  if (!isNear(scale, 1)) return null;
  const isLoud = std > evidence.limits.unscaledScores;
  if (!isLoud && (factors > 0 || !isOfEqualMaps(evidence, attention))) return null;
  return {
    severity: isLoud ? "warning" : "information",
    message: `Scores are not scaled: their standard deviation is ${figure(std)}, with 1/√${headWidth} it were ${figure(std * right)}`,
    more: { "score std": std, limit: evidence.limits.unscaledScores },
  };
}

/** The scores' standard deviation before masks and biases are added, where that was measured; 0: not known. */
function spreadOf(evidence: Evidence, { treatments, scores, logits }: FoundAttention): number {
  const product = treatments.at(-1)?.scores ?? logits;
  const measured = measuredAs(evidence, product) ?? measuredAs(evidence, scores ?? logits);
  const std = measured === null ? Number.NaN : fromNum(measured.activation.std);
  return Number.isFinite(std) ? std : 0;
}

const isNear = (a: number, b: number): boolean => Math.abs(a / b - 1) < 1e-3;

/** How many numbers the linear map in front of an operand takes; null: none was found. */
const inputWidth = (evidence: Evidence, operand: Value): number | null =>
  mapOf(evidence, operand)?.input.shape.at(-1) ?? null;

interface LinearMap {
  readonly input: Value;
  readonly weight: Value;
}

function mapOf({ structure }: Evidence, operand: Value): LinearMap | null {
  const { producers, found } = structure;
  let value: Value | null | undefined = operand;
  for (let steps = 0; value && steps < 16; steps++) {
    const node = producers.makerOf(value);
    if (node === null) return null;
    const [a, b] = node.inputs;
    if ((node.op === "MatMul" || node.op === "Gemm") && a && b && found.isWeight(b))
      return { input: a, weight: b };
    value = node.inputs.find((input) => input !== null && !found.isWeight(input));
  }
  return null;
}

/**
 * Whether queries and keys are made by maps that start alike. Where the maps of queries are smaller
 * (T5), the scale is in them; what weights of a checkpoint hold is not looked at.
 */
function isOfEqualMaps(evidence: Evidence, { operands: [query, key] }: FoundAttention): boolean {
  const { report } = evidence;
  if (report.source.weights || !query || !key) return false;
  const maps = [query, key].map((operand) => mapOf(evidence, operand));
  const [a, b] = maps.map((map) => {
    const name = map && evidence.structure.sourceOf(map.weight).value.name;
    const own = report.parameters.find((one) => one.name === name);
    return own ? fromNum(own.value.std) : Number.NaN;
  }) as [number, number];
  return a > 0 && Math.abs(a / b - 1) < 0.2;
}
