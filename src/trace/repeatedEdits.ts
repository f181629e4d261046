/**
 * Elementwise edits of a window that shows elements of memory at several places: PyTorch computes
 * such an element as often as it is shown, each time from what it has become.
 */
import { torchError } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { expandTo, reshapeTo } from "../ops/write.ts";
import { isTensor } from "./arguments.ts";
import type { CallContext } from "./call.ts";
import { layersOf, offsets } from "./elements.ts";
import { inGradMode, passThrough } from "./passThrough.ts";
import { type Tensor, valueShape } from "./tensor.ts";
import { WrittenInPython } from "./writtenInPython.ts";

type Arguments = Readonly<Record<string, unknown>>;

export interface RepeatedEdit {
  /** As PyTorch names it. */
  readonly name: string;
  readonly target: Tensor;
  readonly args: Arguments;
  /** The same where what is beside the target is apart from it: what gradients are of. */
  readonly argsApart: Arguments;
  /** PyTorch's backward uses what the call gave. */
  readonly savesResult: boolean;
  /** In the target's type; null: PyTorch computes in another one, into memory of its own. */
  compute(args: Arguments): Value | null;
}

/** What the window shows after the edit; null: what computing all of it once gives. */
export function editedInTurn(ctx: CallContext, edit: RepeatedEdit): Value | null {
  const { emit } = ctx;
  const once = computed(edit, edit.argsApart);
  if (once === null) return null;
  if (edit.savesResult && once.requiresGrad)
    throw unsupported(`the gradient of ${edit.name} in place of`);
  const memory = inGradMode(emit, false, () => inTurn(ctx, edit));
  return passThrough(emit, once, memory);
}

function inTurn(ctx: CallContext, edit: RepeatedEdit): Value {
  const { emit } = ctx;
  const { target } = edit;
  const shown = offsets(target);
  const elements = [...new Set(shown)];
  const numberOf = new Map(elements.map((offset, number) => [offset, number]));
  const numbers = shown.map((offset) => numberOf.get(offset) as number);
  const rows = inARow(ctx, target, target);
  let memory = picked(
    emit,
    rows,
    elements.map((offset) => shown.indexOf(offset)),
  );
  for (const layer of layersOf(target, shown)) {
    const written = Float64Array.from(layer, (place) => numbers[place] as number);
    const index = emit.constant({ dtype: "int64", shape: [written.length, 1], data: written });
    const result = ofPlaces(ctx, edit, layer, picked(emit, memory, written));
    memory = emit.op("ScatterND", [memory, index, result]);
  }
  return reshapeTo(emit, picked(emit, memory, numbers), valueShape(target));
}

/** What the call gives for some places, at which the window's elements are `current`. */
function ofPlaces(
  ctx: CallContext,
  edit: RepeatedEdit,
  places: readonly number[],
  current: Value,
): Value {
  const { emit, store } = ctx;
  const { target, args } = edit;
  const given = (argument: unknown): unknown => {
    if (!isTensor(argument) || (argument !== target && argument.shape.length === 0))
      return argument;
    const value =
      argument === target ? current : picked(emit, inARow(ctx, argument, target), places);
    return store.fromValue(value, argument.isComplex);
  };
  const row = Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, given(arg)]));
  return computed(edit, row) ?? current;
}

function computed(edit: RepeatedEdit, args: Arguments): Value | null {
  try {
    return edit.compute(args);
  } catch (error) {
    if (error instanceof WrittenInPython) throw unsupported(`${edit.name} in place of`);
    throw error;
  }
}

const unsupported = (what: string) =>
  torchError("UnsupportedCall", `${what} a window that shows an element twice is not supported`);

const picked = (emit: CallContext["emit"], value: Value, at: Iterable<number>): Value =>
  emit.op("Gather", [value, emit.ints([...at])], { axis: 0 });

/** The elements of an argument, spread over the window, one after the other. */
function inARow({ emit, store }: CallContext, argument: Tensor, target: Tensor): Value {
  const pairs = argument.isComplex ? [2] : [];
  const value = expandTo(emit, store.read(argument), [...target.shape, ...pairs]);
  return reshapeTo(emit, value, [numel(target.shape), ...pairs]);
}
