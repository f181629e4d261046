/** Attention whose keys are of another sequence than its values, which are its queries' own. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { neededFor } from "../stats/producers.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Weights say which places of one sequence a query looks at, and the numbers of another one are summed with them. */
export const valuesElsewhere = ({ structure, program }: Evidence): Finding[] => {
  const inputs = modelInputs(program);
  if (inputs.length < 2) return [];
  const inputsOf = (value: Value): string[] => {
    const needed = neededFor(structure.nodes, value);
    return inputs.filter((input) => needed.has(input.value.id)).map(({ name }) => name);
  };
  return oncePerLine(
    structure.attention.flatMap(({ operands: [query, key, value], call }): Finding[] => {
      if (!query || !key || !value) return [];
      const [asked, matched, summed] = [query, key, value].map(inputsOf);
      const [memory] = matched ?? [];
      const [own] = summed ?? [];
      if (!asked || !own || memory === undefined || matched?.length !== 1) return [];
      if (summed?.length !== 1 || own === memory || asked.join() !== own) return [];
      return [
        {
          code: "attention/values-elsewhere",
          severity: "warning",
          message: `Keys are made of '${memory}', and values of '${own}', as queries are: weights tell places of one sequence, and what stands at those of another is summed. Keys and values of the memory are meant`,
          ...callPlace(call),
          evidence: { "keys of": memory, "values of": own },
        },
      ];
    }),
  );
};
