/** Rows of a table by their numbers. */
import { torchError } from "../../errors.ts";
import type { Emit, Value } from "../../graph/graph.ts";
import { isHalf, numel } from "../../graph/tensor.ts";
import { addAlongAxis, castTo, expandTo, reshapeTo } from "../../ops/write.ts";
import { bool, float, int, optional, tensor, withDefault } from "../arguments.ts";
import { type CallContext, torchCall } from "../call.ts";
import { typeOf } from "../promotion.ts";
import type { Tensor } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { addedInTurn } from "./halfSums.ts";
import { lookedUp, withoutNegative } from "./places.ts";

/** F.embedding; `padding_idx` names a row that gets no gradient. */
export const embedding = torchCall({
  name: "embedding",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    weight: tensor,
    padding_idx: optional(int),
    max_norm: optional(float),
    norm_type: withDefault(float, 2),
    scale_grad_by_freq: withDefault(bool, false),
    sparse: withDefault(bool, false),
  },
  saves: ["input"],
  moves: true,
  build: (ctx, { input, weight, padding_idx, max_norm, scale_grad_by_freq }) => {
    if (max_norm !== null || scale_grad_by_freq)
      throw torchError(
        "UnsupportedCall",
        "embedding with max_norm or scale_grad_by_freq is not supported",
      );
    const padding = wrapPadding(padding_idx, weight.shape[0] ?? 0);
    if (weight.shape.length !== 2) throw torchError("RuntimeError", "'weight' must be 2-D");
    needIndices(input, "embedding");
    refuseOutside(ctx, input, weight.shape[0] as number);
    const table = ctx.store.read(weight);
    const given = castTo(ctx.emit, ctx.store.read(input), "int64");
    const indices = withoutNegative(ctx.emit, given);
    return { typed: rowsOf(ctx, table, indices, padding), as: typeOf(weight) };
  },
});

export function needIndices(input: Tensor, name: string): void {
  if (input.dtype === "int64" || input.dtype === "int32") return;
  throw torchError(
    "RuntimeError",
    `Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.${cppName(typeOf(input))}Tensor instead (while checking arguments for ${name})`,
    "Token numbers are integers: convert them with .long()",
  );
}

function wrapPadding(padding: number | null, rows: number): number | null {
  if (padding === null) return null;
  if (padding < -rows || padding >= rows)
    throw torchError("AssertionError", "Padding_idx must be within num_embeddings");
  return padding < 0 ? padding + rows : padding;
}

/** Where the numbers are known: what the runtime would refuse later, without a line. */
function refuseOutside(ctx: CallContext, input: Tensor, rows: number): void {
  for (const index of ctx.store.shown(input) ?? [])
    if (index < 0 || index >= rows)
      throw torchError(
        "IndexError",
        "index out of range in self",
        `The table has ${rows} rows; got the index ${index}`,
      );
}

/** Half precision gathers as it is; few rows of its gradient are summed as PyTorch does. */
function rowsOf(ctx: CallContext, table: Value, indices: Value, padding: number | null): Value {
  const { emit } = ctx;
  const gather = () => emit.op("Gather", [table, indices], { axis: 0 });
  if (padding === null && !isHalf(table.dtype)) return gather();
  const [rows, width] = table.shape as [number, number];
  const count = numel(indices.shape);
  const [taken] = emit.grouped(
    [table],
    () => [gather()],
    (backward, [d]) => {
      if (!d) return [null];
      const wide = isHalf(d.dtype) ? castTo(backward, d, "float32") : d;
      const kept = padding === null ? wide : withoutPadding(backward, wide, indices, padding);
      const flat = reshapeTo(backward, kept, [count, width]);
      const places = reshapeTo(backward, indices, [count]);
      const sums =
        (isHalf(table.dtype) ? addedInTurn(backward, flat, places, rows, table.dtype) : null) ??
        addAlongAxis(backward, flat, 0, places, rows);
      return [castTo(backward, sums, table.dtype)];
    },
  );
  return taken as Value;
}

/** `rows` [..., width] with zeros where `indices` [...] name the padding, whatever stands there. */
export function withoutPadding(emit: Emit, rows: Value, indices: Value, padding: number): Value {
  const isPadding = emit.op("Equal", [indices, emit.scalar(padding, indices.dtype)]);
  const column = reshapeTo(emit, isPadding, [...indices.shape, 1]);
  return emit.op("Where", [column, emit.scalar(0, rows.dtype), rows]);
}

/** A new last axis of size `num_classes`: 1 at the number, else 0. */
export const oneHot = torchCall({
  name: "one_hot",
  in: ["torch.nn.functional"],
  params: { tensor, num_classes: withDefault(int, -1) },
  build: (ctx, { tensor: input, num_classes }) => {
    const { emit } = ctx;
    if (input.dtype !== "int64")
      throw torchError(
        "RuntimeError",
        "one_hot is only applicable to index tensor of type LongTensor.",
      );
    const classes = num_classes >= 0 ? num_classes : largest(ctx, input) + 1;
    const isKnown = ctx.store.isKnown(input);
    if (isKnown || num_classes < 0) refuseClasses(ctx.store.numbers(input), classes);
    const labels = emit.ints(Array.from({ length: classes }, (_, label) => label));
    const places = isKnown ? ctx.read(input) : lookedUp(ctx, ctx.read(input), classes);
    const column = reshapeTo(emit, places, [...input.shape, 1]);
    const spread = expandTo(emit, column, [...input.shape, classes]);
    const holds = emit.op("Equal", [spread, labels]);
    return { typed: castTo(emit, holds, "int64"), as: "int64" };
  },
});

function largest(ctx: CallContext, input: Tensor): number {
  if (numel(input.shape) === 0)
    throw torchError("RuntimeError", "Can not infer total number of classes from empty tensor.");
  let most = -1;
  for (const label of ctx.store.numbers(input)) most = Math.max(most, label);
  return most;
}

function refuseClasses(numbers: Iterable<number>, classes: number): void {
  for (const label of numbers) {
    if (label < 0) throw torchError("RuntimeError", "Class values must be non-negative.");
    if (label >= classes)
      throw torchError("RuntimeError", "Class values must be smaller than num_classes.");
  }
}
