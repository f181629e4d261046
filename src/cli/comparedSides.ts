/** What `compare` puts side by side: two models, or one at two checkpoints. */
import { wrongUsage } from "../errors.ts";

export interface ComparedSide {
  readonly target: string;
  /** null: those that the seed makes. */
  readonly weights: string | null;
}

/**
 * `--weights a,b` is one for each side, where "init" stands for none; `--weights a` is for both.
 * Throws where both sides would be the same.
 */
export function comparedSides(
  [a, b]: readonly [string, string | null],
  weights: string | null,
): readonly [ComparedSide, ComparedSide] {
  const named = (weights ?? "init").split(",");
  const [first = "", second = first] = named;
  if (named.length > 2 || named.includes(""))
    throw wrongUsage(`--weights needs one checkpoint or two; got '${weights}'`);
  if (b === null && first === second)
    throw wrongUsage(
      "compare needs two models, or two checkpoints of one",
      "Write compare a.py:Model b.py:Model, or compare a.py:Model --weights init,b.safetensors",
    );
  const weightsNamed = (name: string) => (name === "init" ? null : name);
  return [
    { target: a, weights: weightsNamed(first) },
    { target: b ?? a, weights: weightsNamed(second) },
  ];
}
