/** Learned tokens that are joined to the samples of a batch, and not to the positions of each. */
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Known where attention runs along the other axis: what is joined is a sample of its own then, that sees none. */
export const tokenAxis = ({ structure, program }: Evidence): Finding[] => {
  const { nodes, attention } = structure;
  const joins = nodes.filter(({ op, attrs }) => op === "Concat" && Number(attrs["axis"]) === 0);
  if (joins.length === 0) return [];
  const reached = idsMadeBy(modelInputs(program).flatMap(({ value }) => dependents(nodes, value)));
  return oncePerLine(
    joins.flatMap(({ inputs, outputs: [out], origin: { call } }): Finding[] => {
      const stream = inputs.find((one) => one && reached.has(one.id));
      const token = inputs.find((one) => one?.requiresGrad && !reached.has(one.id));
      const [samples = 1, positions = 1] = stream?.shape ?? [];
      if (!call || !stream || !token || out?.shape.length !== 3 || samples === positions) return [];
      const isAlong = attention.some(
        ({ softmaxSize, operands: [query] }) =>
          softmaxSize === positions && query && reached.has(query.id),
      );
      const isAcross = attention.some(({ softmaxSize }) => softmaxSize === out.shape[0]);
      if (!isAlong || isAcross || inputs.length !== 2) return [];
      return [
        {
          code: "model/token-axis",
          severity: "error",
          message: `A learned token is joined along axis 0, the samples (${samples} become ${out.shape[0]}), and attention runs along axis 1: it is a sample of its own, which sees nothing of the others. cls.expand(batch, -1, -1) and dim=1 put one in front of each sample`,
          ...callPlace(call),
          evidence: { samples, joined: out.shape[0] ?? 0 },
        },
      ];
    }),
  );
};
