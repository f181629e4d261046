/** Two learned tables whose rows are taken for the same tokens and added. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Their sum is one table's: where positions were meant for one of both, nothing tells places apart. */
export const sameRows = ({ structure }: Evidence): Finding[] => {
  const { nodes, producers, sourceOf } = structure;
  return oncePerLine(
    nodes.flatMap(({ op, inputs: [a, b], origin: { call } }): Finding[] => {
      const [first, second] = [lookUp(a), lookUp(b)];
      if (op !== "Add" || !call || !first || !second || first.table.id === second.table.id)
        return [];
      if (first.rows !== second.rows) return [];
      const sizes = [first, second].map(({ table }) => table.shape.join(" × "));
      return [
        {
          code: "model/same-rows",
          severity: "warning",
          message: `Two tables (${sizes.join(" and ")}) are read at the same tokens and added: together they are one table. Rows of positions are taken at torch.arange(length), and not at the tokens`,
          ...callPlace(call),
          evidence: { "first table": sizes[0] ?? "", "second table": sizes[1] ?? "" },
        },
      ];
    }),
  );

  /** Rows of a table that learns, scaled or not; null: something else, or a table that stays as it is. */
  function lookUp(value: Value | null | undefined): { table: Value; rows: number } | null {
    let node: Node | null = value ? producers.makerOf(value) : null;
    while (node && isScale(node)) {
      const scaled: Value | null | undefined = node.inputs.find((one) => one?.role === "node");
      node = scaled ? producers.makerOf(scaled) : null;
    }
    const [table, rows] = node?.inputs ?? [];
    if (node?.op !== "Gather" || table?.role !== "parameter" || !table.requiresGrad) return null;
    if (table.shape.length !== 2 || !rows || rows.shape.length === 0) return null;
    const source = sourceOf(rows).value;
    return source.role === "constant" ? null : { table, rows: source.id };
  }
};

/** A product or quotient with one number. */
const isScale = ({ op, inputs }: Node): boolean =>
  (op === "Mul" || op === "Div") && inputs.some((one) => one?.data?.length === 1);
