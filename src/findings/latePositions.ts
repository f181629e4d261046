/** Positions that are added behind all attention, which has seen none. */
import type { Node, Value } from "../graph/graph.ts";
import { valuesUsedBy } from "../graph/prune.ts";
import { isFloat } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { idsMadeBy, neededFor, type Producers } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";

/** Told where nothing in front of attention's result says where a token stands: no table, no mask, no window. */
export function latePositions({ structure, program, modelSpreads }: Evidence): Finding[] {
  const { attention, nodes } = structure;
  const last = attention.at(-1);
  const [mixed] = last?.mixing.outputs ?? [];
  const [spread, ...others] = modelSpreads;
  const places = last?.softmaxSize ?? 0;
  if (!last || !mixed || !spread || others.length > 0 || spread.size[1] !== places) return [];
  const given = idsMadeBy(dependents(nodes, spread.input.value)).add(spread.input.value.id);
  const isTable = (value: Value): boolean =>
    !given.has(value.id) && value.shape.length > 1 && value.shape.at(-2) === places;
  const needed = neededFor(nodes, mixed);
  const before = nodes.filter(({ outputs }) => outputs.some(({ id }) => needed.has(id)));
  if (before.some((node) => tellsPlaces(node, given, places, structure.producers))) return [];
  const add = dependents(nodes, mixed).find(
    ({ op, inputs, outputs: [out], origin }) =>
      op === "Add" &&
      origin.call?.op.startsWith("add") &&
      out?.shape.length === 3 &&
      out.shape[1] === places &&
      inputs.some(
        (value) =>
          value && isTable(value) && isFloat(value.dtype) && value.shape.at(-1) === out.shape[2],
      ),
  );
  const call = add?.origin.call;
  if (!call || !neededFor(nodes, program.loss).has(add.outputs[0]?.id ?? -1)) return [];
  return [
    {
      code: "model/positions-late",
      severity: "warning",
      message: `Positions are added behind the last attention (line ${last.call.site.line}), and nothing in front of it tells one of ${places} places from another: attention sees tokens without their order`,
      ...callPlace(call),
      evidence: { positions: places, "attention's line": last.call.site.line },
    },
  ];
}

/** What reads neighbours, or whatever it takes one after another. */
const ordered: ReadonlySet<string> = new Set([
  ...["Conv", "ConvTranspose", "LSTM", "GRU", "RNN", "CumSum", "Scan", "Loop", "Concat", "Pad"],
  ...["AveragePool", "MaxPool", "Slice", "Split", "ScatterND", "ScatterElements", "GatherElements"],
]);

/** Whether a node takes something of as many places that is not made of the input, or neighbours. */
function tellsPlaces(
  node: Node,
  given: ReadonlySet<number>,
  places: number,
  { makers }: Producers,
): boolean {
  const own = valuesUsedBy(node);
  const made = own.filter(({ id }) => given.has(id));
  if (made.length === 0) return false;
  if (ordered.has(node.op) && made.some(({ shape }) => shape[1] === places)) return true;
  // A linear map mixes places where it runs over them; features may be as many.
  if (isMap(node, given)) return made.some((value) => areLast(value, places, makers));
  if (node.origin.call?.op === "linear") return false;
  return own.some(
    ({ id, shape, dtype }) => !given.has(id) && dtype !== "int64" && shape.includes(places),
  );
}

const isMap = ({ op, inputs: [, weight] }: Node, given: ReadonlySet<number>): boolean =>
  (op === "MatMul" || op === "Gemm") && !!weight && !given.has(weight.id);

/** Whether the last axis has the places: none of the others has, or a transpose put them there. */
function areLast(value: Value, places: number, makers: Producers["makers"]): boolean {
  const { shape } = value;
  if (shape.at(-1) !== places) return false;
  if (shape.length > 2 && shape.at(-2) !== places) return true;
  let maker = makers.get(value.id);
  while (maker?.op === "Reshape" && maker.inputs[0]) maker = makers.get(maker.inputs[0].id);
  return maker?.op === "Transpose";
}
