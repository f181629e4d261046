/** A mask of samples that meets the heads' axis of the scores. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** What gives each number a place of its own, in the order of the first axis. */
const passing = new Set([
  ...["Equal", "Not", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Cast", "Identity"],
  ...["Unsqueeze", "Reshape", "Expand", "Mul", "Sub", "Where", "And", "Or", "Add"],
]);

/** [samples, 1, keys] is broadcast to [1, samples, 1, keys], and fits where samples and heads are equally many. */
export const maskHeads = ({ structure, program }: Evidence): Finding[] => {
  const { producers } = structure;
  const given = modelInputs(program).map(({ value }) => value);
  const reached = idsMadeBy(given.flatMap((value) => dependents(structure.nodes, value)));
  const isTokens = ({ id, shape, dtype }: Value): boolean =>
    shape.length === 2 &&
    (given.some((one) => one.id === id) || (dtype === "int64" && reached.has(id)));
  return oncePerLine(
    structure.attention.flatMap(({ treatments, call }): Finding[] =>
      treatments.flatMap(({ node, scores }): Finding[] => {
        const shape = scores.shape;
        const [samples = 1, heads = 1] = shape;
        if (shape.length !== 4 || samples < 2) return [];
        const mask = node.inputs.find(
          (one) => one && one !== scores && isOnHeads(one.shape, heads),
        );
        const input = mask && tokensOf(mask);
        if (!mask || !input || samples !== input.shape[0] || heads !== samples) return [];
        return [
          {
            code: "attention/mask-heads",
            severity: "error",
            message: `The mask [${mask.shape.join(", ")}] is broadcast to scores [${shape.join(", ")}] from the right: its samples meet the ${heads} heads, so that head 0 gets the mask of sample 0 in all samples. It fits since both are ${heads}. mask[:, None, None, :] has an axis for heads`,
            ...callPlace(node.origin.call ?? call),
            evidence: { samples, heads },
          },
        ];
      }),
    ),
  );

  /** [heads, 1 or queries, keys], with nothing or 1 in front. */
  function isOnHeads(shape: readonly number[], heads: number): boolean {
    const own = shape.length === 4 && shape[0] === 1 ? shape.slice(1) : shape;
    return own.length === 3 && own[0] === heads && own[1] === 1 && (own[2] ?? 1) > 1;
  }

  /** What [samples, keys] it was made of, number by number, and of nothing else that differs; null: of others. */
  function tokensOf(mask: Value): Value | null {
    let value: Value = mask;
    for (let steps = 0; steps < 16; steps++) {
      if (isTokens(value)) return value;
      const node: Node | undefined = producers.makers.get(value.id);
      if (!node || !passing.has(node.op)) return null;
      const next: Value | null | undefined = node.inputs.find(
        (one) => one?.role === "node" || one?.role === "input",
      );
      if (!next) return null;
      value = next;
    }
    return null;
  }
};
