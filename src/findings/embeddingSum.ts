/** What is added to tokens, or multiplied with them, more than once before the first attention. */
import type { Node, Value } from "../graph/graph.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { comesThrough } from "../stats/linearPath.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { tableKey } from "../stats/tableKey.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const embeddingSum = (evidence: Evidence): Finding[] =>
  oncePerLine([...positionsTwice(evidence), ...scaledTwice(evidence)]);

/** A sum of the stream in front of the blocks to which the same rows of one table are added again. */
function positionsTwice({ structure, program }: Evidence): Finding[] {
  const { nodes, attention, blocks, found, producers } = structure;
  const until = Math.min(...attention.map(({ mixing }) => producers.indexOf(mixing)));
  if (!Number.isFinite(until)) return [];
  const early = nodes.slice(0, until);
  const given = idsMadeBy(program.inputs.flatMap(({ value }) => dependents(early, value)));
  const { makers } = producers;
  const tables = new Map<number, readonly string[]>();
  return early.flatMap((node): Finding[] => {
    const [out] = node.outputs;
    const { call } = node.origin;
    if (!out || !call) return [];
    const before = node.inputs.flatMap((value) => (value && tables.get(value.id)) ?? []);
    const [a, b] = node.inputs;
    const isSum = node.op === "Add" && !!a && !!b;
    const added = isSum ? [a, b].find((value) => !given.has(value.id)) : undefined;
    const stream = added && (added === a ? b : a);
    if (
      !isSum ||
      !added ||
      !stream ||
      !given.has(stream.id) ||
      !sameShape(stream.shape, out.shape)
    ) {
      const [shape] = node.inputs;
      if (shape && sameShape(shape.shape, out.shape) && !isProduct(node))
        tables.set(out.id, before);
      return [];
    }
    const key = tableOf(added, makers);
    tables.set(out.id, key === null ? before : [...before, key]);
    if (key === null || !before.includes(key)) return [];
    const [first] = blocks;
    const past = {
      mixing: new Set(attention.map(({ mixing }) => mixing)),
      throughActivations: false,
    };
    if (first && !comesThrough(nodes, out, first.output, found, past)) return [];
    return [
      {
        code: "model/positions-twice",
        severity: "warning",
        message:
          "The same rows of a table are added here that were added before: positions are in the stream twice",
        ...callPlace(call),
        evidence: { shape: added.shape.join(", ") },
      },
    ];
  });
}

const isProduct = ({ op }: Node): boolean => ["MatMul", "Gemm", "Conv", "Einsum"].includes(op);

/** By what a table and the rows of it can be told from others; null: it is one number, or no table. */
function tableOf(value: Value, makers: ReadonlyMap<number, Node>): string | null {
  const sizes = value.shape.filter((size) => size > 1);
  if (sizes.length < 2) return null;
  const node = makers.get(value.id);
  if (!node) return value.role === "constant" ? tableKey(value) : `${value.id}`;
  const parts = node.inputs.map((input) => {
    if (!input) return "";
    if (input.role === "constant") return tableKey(input);
    return makers.has(input.id) ? tableOf(input, makers) : `${input.id}`;
  });
  return parts.includes(null) ? null : `${node.op}(${parts.join()})`;
}

/** Rows of an embedding that are multiplied by the root of their width once and again. */
function scaledTwice({ structure, program }: Evidence): Finding[] {
  const { nodes, producers } = structure;
  const tokens = new Set(program.inputs.map(({ value }) => value.id));
  return nodes.flatMap(({ op, inputs: [table, indices], outputs: [rows] }): Finding[] => {
    if (op !== "Gather" || !rows || table?.role !== "parameter") return [];
    if (!indices || !tokens.has(structure.sourceOf(indices).value.id)) return [];
    const root = Math.sqrt(table.shape[1] ?? 1);
    let value: Value = rows;
    let times = 0;
    for (let node = next(value); node; node = next(value)) {
      const [out] = node.outputs;
      const factor = factorOf(node, value);
      if (!out || factor === null) return [];
      if (Math.abs(factor / root - 1) < 0.01 && root > 2) times++;
      value = out;
      const { call } = node.origin;
      if (times < 2 || !call) continue;
      return [
        {
          code: "model/scaled-twice",
          severity: "warning",
          message: `Embeddings are multiplied by √${table.shape[1]} = ${figure(root)} here, and were before: they come out ${figure(root * root)} times as large as the table's rows`,
          ...callPlace(call),
          evidence: { factor: root * root, width: table.shape[1] ?? 1 },
        },
      ];
    }
    return [];
  });

  /** The only scale or reordering that reads a value. */
  function next(value: Value): Node | undefined {
    const readers = producers.readersOf(value);
    const scaling = readers.filter(({ op }) =>
      ["Mul", "Div", "Identity", "Reshape", "Transpose", "Unsqueeze", "Squeeze"].includes(op),
    );
    return readers.length === 1 ? scaling[0] : undefined;
  }

  /** null: not a number for all elements. */
  function factorOf({ op, inputs }: Node, value: Value): number | null {
    if (op !== "Mul" && op !== "Div") return 1;
    const other = inputs.find((input) => input && input !== value);
    const number = other?.data?.length === 1 ? Number(other.data[0]) : Number.NaN;
    if (!Number.isFinite(number)) return null;
    return op === "Div" ? 1 / number : number;
  }
}
