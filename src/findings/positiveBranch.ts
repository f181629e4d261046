/** Branches that end in ReLU: they can only add to a stream, and never take away. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const positiveBranch = ({ structure }: Evidence): Finding[] => {
  const { producers, found, attention } = structure;
  return oncePerLine(
    structure.blocks.flatMap(({ residual, nodes, path }): Finding[] => {
      if (!attention.some(({ mixing }) => nodes.includes(mixing))) return [];
      return residual.adds.flatMap(({ branch }): Finding[] => {
        const last = producers.makerOf(branch);
        const [input] = last?.inputs ?? [];
        const map = input && producers.makerOf(input);
        const isLinear = map?.inputs.some((value) => value !== null && found.isWeight(value));
        const site = last?.origin.call?.site;
        if (last?.op !== "Relu" || !map || !isLinear || !site) return [];
        if (!["Add", "MatMul", "Gemm"].includes(map.op)) return [];
        return [
          {
            code: "block/positive-branch",
            severity: "information",
            message: `A branch of ${path} ends in ReLU: it adds numbers of one sign alone, so that the stream drifts with each block, and half of what its last map makes is lost`,
            file: site.file,
            line: site.line,
            module: path,
            evidence: { block: path },
          },
        ];
      });
    }),
  );
};
