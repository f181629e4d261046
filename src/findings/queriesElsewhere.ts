/** Attention that is added to a stream which its keys and values are made of, and its queries are not. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Each row of a result belongs to the query that asked for it: that of another sequence is added to it. */
export const queriesElsewhere = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap(({ operands: [query, key, value], call, mixing }): Finding[] => {
      const { nodes, producers } = structure;
      const [mixed] = mixing.outputs;
      if (!query || !key || !value || !mixed || query === key) return [];
      const after = idsMadeBy(dependents(nodes, mixed));
      const sum = nodes.find(
        ({ op, inputs: [a, b] }) =>
          op === "Add" && a && b && isMade(a) && isMade(b) && after.has(a.id) !== after.has(b.id),
      );
      const stream = sum?.inputs.find((one): one is Value => one !== null && !after.has(one.id));
      if (!stream || producers.makers.get(stream.id) === undefined) return [];
      const own = new Set([stream.id, ...idsMadeBy(dependents(nodes, stream))]);
      if (own.has(query.id) || !own.has(key.id) || !own.has(value.id)) return [];
      return [
        {
          code: "attention/queries-elsewhere",
          severity: "warning",
          message: `Queries come from another sequence than the one that the result is added to (line ${sum?.origin.call?.site.line}), and keys and values from that one: each row is the answer to a question of another place. Queries of the stream, keys and values of the memory are meant`,
          ...callPlace(call),
          evidence: { "added on line": sum?.origin.call?.site.line ?? 0 },
        },
      ];
    }),
  );

const isMade = ({ role }: Value): boolean => role === "node";
