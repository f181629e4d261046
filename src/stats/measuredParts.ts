/** Norms and attention of a program: those that are calls of their own, and those that are written out. */
import { sameShape } from "../graph/tensor.ts";
import type { TracedAttention, TracedNorm, TracedProgram } from "../trace/program.ts";
import type { FoundAttention } from "./foundAttention.ts";
import type { FoundNorm } from "./foundNorms.ts";
import type { Structure } from "./structure.ts";

export interface MeasuredNorm extends TracedNorm {
  readonly found: FoundNorm | null;
}

export interface MeasuredAttention extends TracedAttention {
  readonly found: FoundAttention | null;
}

/** In the order of the calls. */
export function normsOf(
  program: TracedProgram,
  { norms, sourceOf }: Pick<Structure, "norms" | "sourceOf">,
): MeasuredNorm[] {
  const keyOf = ({ call, input }: Pick<TracedNorm, "call" | "input">) =>
    `${call.id}:${sourceOf(input).value.id}`;
  const byKey = new Map(norms.map((norm) => [keyOf(norm), norm]));
  const known = new Set(program.norms.map(keyOf));
  const written = norms.flatMap((found): MeasuredNorm[] => {
    const { call, input, kind, axes, eps } = found;
    if (known.has(keyOf(found)) || axes === null) return [];
    return [
      { call, input, axes, eps, kind: kind === "LayerNorm" ? "layer_norm" : "rms_norm", found },
    ];
  });
  const called = program.norms.map((norm) => ({ ...norm, found: byKey.get(keyOf(norm)) ?? null }));
  return [...called, ...written].sort((a, b) => a.call.id - b.call.id);
}

/** In the order of the calls. */
export function attentionOf(
  program: TracedProgram,
  { attention }: Pick<Structure, "attention">,
): MeasuredAttention[] {
  const byLogits = new Map(attention.map((one) => [one.logits.id, one]));
  const known = new Set(program.attention.map(({ logits }) => logits.id));
  const written = attention.flatMap((found): MeasuredAttention[] => {
    const { call, weights, logits, scores } = found;
    const isMap = weights.shape.length >= 2 && sameShape(weights.shape, logits.shape);
    return known.has(logits.id) || !isMap ? [] : [{ call, weights, logits, scores, found }];
  });
  const called = program.attention.map((one) => ({
    ...one,
    found: byLogits.get(one.logits.id) ?? null,
  }));
  return [...called, ...written].sort((a, b) => a.call.id - b.call.id);
}
