/** Sums, means or maxima of rows of a table, one for each bag of row numbers. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat } from "../../graph/tensor.ts";
import { addAlongAxis, castTo, reshapeTo } from "../../ops/write.ts";
import { bool, float, int, optional, tensor, text, withDefault } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { type TorchType, typeOf } from "../promotion.ts";
import { rounded, roundsSteps } from "../rounding.ts";
import { isContiguous, type Tensor } from "../tensor.ts";
import { needIndices, withoutPadding } from "./embedding.ts";
import { addedInTurn } from "./halfSums.ts";
import { inSteps } from "./kernelSlopes.ts";
import { refuseOutside, valuesWithin } from "./places.ts";

export const embeddingBag = torchCall({
  name: "embedding_bag",
  in: ["torch.nn.functional"],
  params: {
    input: tensor,
    weight: tensor,
    offsets: optional(tensor),
    max_norm: optional(float),
    norm_type: withDefault(float, 2),
    scale_grad_by_freq: withDefault(bool, false),
    mode: withDefault(text, "mean"),
    sparse: withDefault(bool, false),
    per_sample_weights: optional(tensor),
    include_last_offset: withDefault(bool, false),
    padding_idx: optional(int),
  },
  saves: (args) => {
    const ids = isFloat(args.input.dtype) ? "weight" : "input";
    const names = ["input", "weight", "offsets", "per_sample_weights"] as const;
    const kept = args.per_sample_weights === null ? ([ids, "offsets"] as const) : names;
    // Numbers with gaps are copied first.
    return kept.filter((name) => {
      const given = args[name];
      return given === null || isFloat(given.dtype) || isContiguous(given.shape, given.strides);
    });
  },
  build: (ctx, args): Result => {
    // PyTorch takes the table first too.
    const isTurned = isFloat(args.input.dtype) && !isFloat(args.weight.dtype);
    if (isTurned)
      return embeddingBag.build(ctx, { ...args, input: args.weight, weight: args.input });
    const { input, weight, offsets, per_sample_weights, padding_idx } = args;
    refuseArguments(args);
    needIndices(input, "embedding_bag");
    const rows = weight.shape[0] as number;
    refuseOutside(ctx, input, { from: 0, below: rows }, (at) =>
      torchError(
        "RuntimeError",
        `embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be ${at}`,
        `The table has ${rows} rows`,
      ),
    );
    const type = weight.dtype;
    const shares = per_sample_weights && ctx.as(per_sample_weights, type);
    if (input.shape.length === 2) {
      const [bags, length] = input.shape as [number, number];
      const ends = Array.from({ length: bags }, (_, bag) => (bag + 1) * length);
      return { typed: bagged(ctx, args, shares, ends, padding_idx), as: type };
    }
    const starts = Array.from(ctx.store.numbers(offsets as Tensor));
    const count = input.shape[0] as number;
    const ends = args.include_last_offset ? starts.slice(1) : [...starts.slice(1), count];
    return { typed: bagged(ctx, args, shares, ends, padding_idx), as: type };
  },
});

interface BagArgs {
  readonly input: Tensor;
  readonly weight: Tensor;
  readonly offsets: Tensor | null;
  readonly max_norm: number | null;
  readonly scale_grad_by_freq: boolean;
  readonly mode: string;
  readonly per_sample_weights: Tensor | null;
}

function refuseArguments(args: BagArgs): void {
  const { input, offsets, mode, per_sample_weights } = args;
  if (input.shape.length === 2 && offsets !== null)
    throw torchError(
      "ValueError",
      "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length sequences. However, found offsets of type <class 'torch.Tensor'>",
    );
  if (input.shape.length === 1 && offsets === null)
    throw torchError("ValueError", "offsets has to be a 1D Tensor but got None");
  if (mode !== "sum" && mode !== "mean" && mode !== "max")
    throw torchError("ValueError", "mode has to be one of sum, mean or max");
  if (per_sample_weights !== null && mode !== "sum")
    throw torchError(
      "NotImplementedError",
      `embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode='${mode}'). Please open a feature request on GitHub.`,
    );
  if (args.max_norm !== null || args.scale_grad_by_freq || mode === "max")
    throw torchError(
      "UnsupportedCall",
      "embedding_bag with max_norm, scale_grad_by_freq or mode='max' is not supported",
    );
}

/** Rows times what each counts, added up where their bag is. */
function bagged(
  ctx: CallContext,
  { input, weight, mode }: BagArgs,
  shares: Value | null,
  ends: readonly number[],
  padding: number | null,
): Value {
  const { emit } = ctx;
  const count = ends.at(-1) ?? 0;
  const table = ctx.as(weight, weight.dtype);
  const given = castTo(emit, ctx.store.read(input), "int64");
  const flat = reshapeTo(emit, given, [count]);
  const below = table.shape[0] as number;
  const indices = ctx.store.isKnown(input)
    ? flat
    : valuesWithin(ctx, flat, { from: 0, below }, (at) =>
        torchError(
          "RuntimeError",
          `Index of input takes value ${at} which is not in the valid range [0, ${below})`,
        ),
      );
  const taken = rowsOf(emit, table, indices, typeOf(weight));
  const ignored = padding !== null && padding < 0 ? padding + (table.shape[0] as number) : padding;
  const rows = ignored === null ? taken : withoutPadding(emit, taken, indices, ignored);
  const bagOf = Array.from({ length: count }, (_, at) => ends.findIndex((end) => at < end));
  const places = emit.ints(bagOf);
  const counts = counted(ctx, indices, table, ignored);
  const factor = shares ? emit.op("Mul", [counts, reshapeTo(emit, shares, [count, 1])]) : counts;
  const products = emit.op("Mul", [rows, factor]);
  const exact = addAlongAxis(emit, products, 0, places, ends.length);
  const sums = typeOf(weight) === "bfloat16" && ignored === null ? awayAtTies(emit, exact) : exact;
  if (mode === "sum") return sums;
  const sizes = addAlongAxis(emit, counts, 0, places, ends.length);
  const held = rounded(emit, sums, typeOf(weight));
  return meanOf(emit, held, emit.op("Max", [sizes, emit.scalar(1, sizes.dtype)]), typeOf(weight));
}

/** The share of each row in the gradient is a number of the type. */
function meanOf(emit: CallContext["emit"], sums: Value, sizes: Value, type: TorchType): Value {
  const write = () => emit.op("Div", [sums, sizes]);
  return inSteps(emit, type, [sums], write, ({ op }, d) => [op("Mul", d, op("Div", 1, sizes))]);
}

/** Rows of a table; few of them are added to its gradient in half precision one after another. */
function rowsOf(emit: CallContext["emit"], table: Value, indices: Value, type: TorchType): Value {
  const gather = () => emit.op("Gather", [table, indices], { axis: 0 });
  if (!roundsSteps(type) || !table.requiresGrad) return gather();
  const size = table.shape[0] as number;
  const [taken] = emit.grouped(
    [table],
    () => [gather()],
    (backward, [d]) => {
      if (!d) return [null];
      const each = rounded(backward, d, type);
      const sums = addedInTurn(backward, each, indices, size, type);
      return [sums ?? addAlongAxis(backward, each, 0, indices, size)];
    },
  );
  return taken as Value;
}

/** x a last digit of single precision further from 0: what lies midway in half precision is rounded up. */
function awayAtTies(emit: CallContext["emit"], x: Value): Value {
  const [moved] = emit.grouped(
    [x],
    () => [emit.op("Mul", [x, emit.scalar(1 + 2 ** -23, x.dtype)])],
    (_, [d]) => [d ?? null],
  );
  return moved as Value;
}

/** [count, 1]: 1, or 0 at the padding. */
function counted(ctx: CallContext, indices: Value, table: Value, padding: number | null): Value {
  const { emit } = ctx;
  const counts = emit.op("Not", [emit.op("Equal", [indices, emit.scalar(padding ?? -1, "int64")])]);
  return reshapeTo(emit, castTo(emit, counts, table.dtype), [indices.shape[0] as number, 1]);
}
