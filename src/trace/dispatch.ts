/** Runs one torch call: binds its arguments, writes its nodes, makes or edits tensors, notes what PyTorch saves. */
import { invariant, torchError } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { type DType, isFloat, isHalf, numel, sameShape } from "../graph/tensor.ts";
import { noOrigin } from "../ops/emitter.ts";
import { reshapeTo } from "../ops/write.ts";
import { type Arg, bind, type GivenArguments, isMasked, isTensor, tensorsIn } from "./arguments.ts";
import { autocastArguments } from "./autocast.ts";
import { type AnyCall, type Given, isTyped, isValue, type Result, type Typed } from "./call.ts";
import { asPair, contextOf } from "./callContext.ts";
import { underivable } from "./calls/derivatives.ts";
import { leaveComplex } from "./complexCalls.ts";
import { isRemade, noteRemade, noteRemadeEdit } from "./construction.ts";
import { forgetReads, noteFollowed, readToEdit, standIn } from "./editReads.ts";
import { showsTwice } from "./elements.ts";
import { madeOfFollowed, viewOfFollowed } from "./followedIntegers.ts";
import { editThroughHiddenBase } from "./hiddenEdits.ts";
import { hasHiddenBase } from "./layout/hiddenBases.ts";
import { isElementwise, stridesOfResult } from "./layout/rules.ts";
import { numberSeen } from "./looks.ts";
import { refuseMissingKernel } from "./missingKernels.ts";
import {
  fitOut,
  fitOutOfScan,
  refuseOut,
  refuseOutForm,
  refuseOutTypes,
  refuseShape,
  typedByOut,
} from "./outs.ts";
import { refuseKeywordOut } from "./outTypes.ts";
import { writtenInTurn } from "./overlaps.ts";
import { inGradMode } from "./passThrough.ts";
import { category, isComplexType, resultType, type TorchType, typeOf } from "./promotion.ts";
import { refuseEdit, refuseInnerOverlap, shownTwice } from "./refusals.ts";
import { editedInTurn } from "./repeatedEdits.ts";
import {
  noteSaved,
  savedIndices,
  savedNames,
  savedNow,
  savedResult,
  savedResults,
  snapshot,
} from "./savedTensors.ts";
import type { Session } from "./session.ts";
import { refuseSharedEdit, refuseSharedMemory } from "./sharedMemory.ts";
import { runOnStale } from "./staleReads.ts";
import { noteInGraph, repeatedAxes, type Tensor, valueShape } from "./tensor.ts";
import { cppName } from "./typeNames.ts";
import { wrapDim } from "./views.ts";
import { WrittenInPython } from "./writtenInPython.ts";

export function runCall(
  session: Session,
  spec: AnyCall,
  name: string,
  given: GivenArguments,
): Given {
  const { positional, keywords, isMethod } = given;
  if (keywords.has("out")) refuseKeywordOut(name, isMethod === true);
  const withoutOut = new Map([...keywords].filter(([key]) => key !== "out"));
  const numberOf = (tensor: Tensor) => numberSeen(session, tensor);
  const bound = bind(
    name,
    spec.params,
    { positional, keywords: withoutOut, isMethod },
    numberOf,
  ) as Arguments;
  const { emit } = session;
  const dispatch = {};
  const { direction } = session.walk ?? noOrigin;
  emit.origin = { direction, call: session.running, group: null, dispatch };
  const args = autocastArguments(session, name, bound);
  try {
    const run = () => runBound(session, spec, name, args, { out: keywords.get("out"), dispatch });
    const edits = spec.edits || keywords.has("out") || isInPlaceCall(spec, name, args);
    return edits ? run() : runOnStale(emit, name, run);
  } catch (error) {
    if (error instanceof WrittenInPython) error.saves ??= savesOf(session, spec, args);
    throw error;
  }
}

type Arguments = Readonly<Record<string, unknown>>;

const isInPlaceCall = (spec: AnyCall, name: string, args: Arguments): boolean =>
  spec.inPlace === true && (name.endsWith("_") || args["inplace"] === true);

/** What Python is told of a call that it takes over: the ids of arguments to keep, and results. */
function savesOf(session: Session, spec: AnyCall, args: Arguments): string {
  const names = savedNames(session, spec, args);
  const ids = names.flatMap((name) => tensorsIn(args[name])).map(({ id }) => id);
  return `${ids.join(",")} ${names.filter((name) => name.startsWith("result")).join(",")}`;
}

function runBound(
  session: Session,
  spec: AnyCall,
  name: string,
  bound: Arguments,
  { out, dispatch }: { readonly out: Arg | undefined; readonly dispatch: object },
): Given {
  const ctx = contextOf(session);
  const { emit } = session;
  const outs = out === undefined ? [] : tensorsIn(out);
  const args = typedByOut(spec.name, bound, outs);
  const tensors = Object.values(args).flatMap(tensorsIn);
  const half = spec.moves ? null : halfType(session, args);

  const [first, ...others] = tensors;
  if (spec.edits && !spec.refusesLate)
    refuseEdit(session.store, first as Tensor, others, { ofPart: true });
  const isInPlace = isInPlaceCall(spec, name, args);
  if (isInPlace && spec.follows === "nothing" && emit.gradMode)
    return inGradMode(emit, false, () => runBound(session, spec, name, bound, { out, dispatch }));
  const followsAll = spec.follows === "all";
  if (isInPlace && first) refuseEdit(session.store, first, others, { followsAll });
  refuseMissingKernel(keyOf(spec), tensors);
  leaveComplex(spec, args);
  const used = spec.inPlace || spec.edits ? others.filter((it) => it !== first) : tensors;
  if (emit.gradMode) used.forEach(noteInGraph);
  if (isInPlace) {
    const target = first;
    invariant(target, `${name} edits a tensor`);
    const { dim } = args;
    if (typeof dim === "number") wrapDim(dim, target.shape.length);
    const isComputed = !spec.moves && !isElementwise(keyOf(spec));
    if (!fillsAlike(spec, args)) refuseInnerOverlap(target, isComputed && `${name} in place`);
    const reading = spec.name === "copy" ? "copies" : spec.reads ? "apart" : "computes";
    const refuseOverlaps = () => refuseSharedEdit(spec.name, target, others, reading);
    if (spec.reads !== true) refuseOverlaps();
    if (editsFill(session, spec, target, args)) return target;
    forgetReads(target);
    editThroughHiddenBase(session, target);
    // PyTorch keeps a copy of what it edits, as far as it is the first argument.
    const saves = spec.savesResultInPlace ? ["result"] : savedNames(session, spec, args);
    const before = snapshot(
      session.store,
      saves.filter((name) => name !== Object.keys(args)[0]),
      args,
    );
    const argsApart = standIn(session, target, args);
    const result = readToEdit(session, target, () =>
      edited(session, { spec, args, tensors }, { name, target, half, argsApart }),
    );
    if (spec.reads === true) refuseOverlaps();
    const places = isElementwise(keyOf(spec)) || spec.name === "copy" ? "all" : "some";
    const edit = (made: Result) => overwrite(session, target, single(session, made), half, places);
    if (isRemade(session, spec, tensors))
      noteRemadeEdit(session, target, () =>
        edit(edited(session, { spec, args, tensors }, { name, target, half, argsApart: args })),
      );
    edit(result);
    if (followsAll) noteFollowed(session.store, target, others);
    noteInGraph(target);
    if (spec.keepsMask) target.masked ||= isMasked(args);
    const kept = [...before, ...savedResult(saves, target)];
    noteSaved(session, dispatch, { op: name, args, names: saves, tensors: kept, given: target });
    return target;
  }

  if (outs.length > 0 && emit.gradMode)
    refuseOut(
      nameOf(spec, args),
      [...tensors, ...outs].some((tensor) => session.store.requiresGrad(tensor)),
    );
  for (const out of outs) refuseSharedMemory({ ...spec, key: keyOf(spec), args }, out, tensors);
  if (spec.edits && tensors[0]) editThroughHiddenBase(session, tensors[0]);
  if (spec.edits && isRemade(session, spec, tensors))
    noteRemadeEdit(session, tensors[0] as Tensor, () => {
      spec.build(contextOf(session), args as never);
    });
  fitOutOfScan(session.store, spec.name, tensors, outs);
  const [target] = outs;
  const result =
    target && tensors.includes(target) && showsTwice(target)
      ? edited(session, { spec, args, tensors }, { name, target, half, argsApart: args })
      : spec.build(ctx, args as never);
  if (outs.length > 0) {
    refuseOutForm(spec.name, out as Arg, Array.isArray(result));
    const write = (one: Result, to: Tensor) =>
      writeOut(session, one, to, half, { spec, args, tensors });
    if (!Array.isArray(result)) return write(result, outs[0] as Tensor);
    refuseOutTypes(
      result.map((one) => typeOfResult(session, one, half)),
      outs,
    );
    return outs.map((to, at) => write(result[at] as Result, to));
  }
  const masked = spec.keepsMask === true && isMasked(args);
  const given = give(session, result, half, masked, { spec, args, tensors });
  if (!spec.edits && isRemade(session, spec, tensors))
    noteRemade(session, given, tensors, () => spec.build(contextOf(session), args as never));
  const found = savedIndices(spec, given);
  const saves = found.length > 0 && !spec.savesFor ? [] : savedNames(session, spec, args);
  const kept = [
    ...found,
    ...snapshot(session.store, saves, args),
    ...savedNow(session.store, spec.savesOf?.(args as never, session.store.requiresGrad)),
    ...savedResults(saves, given),
  ];
  noteSaved(session, dispatch, { op: name, args, names: saves, tensors: kept, given });
  return given;
}

/** In construction, arithmetic on numbers that nobody has needed yet waits with them. */
function editsFill(session: Session, spec: AnyCall, target: Tensor, args: object): boolean {
  if (session.store.inStep) return false;
  const edit = spec.fillEdit?.(args as never) ?? null;
  return edit !== null && session.store.editFill(target, edit);
}

/** A result lies in `out` from then on. */
function writeOut(
  session: Session,
  result: Result,
  out: Tensor,
  half: DType | null,
  call: Called,
): Tensor {
  const made = single(session, result);
  const [value, isComplex] = isTyped(made) ? [made.typed, isComplexType(made.as)] : [made, false];
  const shape = isComplex ? value.shape.slice(0, -1) : value.shape;
  const laid = { args: call.args, operands: call.tensors, shape, requiresGrad: () => false };
  fitOut(session.store, out, {
    name: nameOf(call.spec, call.args),
    from: typeOfResult(session, result, half),
    of: call.tensors,
    args: call.args,
    shape,
    strides: stridesOfResult(keyOf(call.spec), laid),
  });
  if (!fillsAlike(call.spec, call.args)) refuseInnerOverlap(out);
  overwrite(session, out, made, half);
  return out;
}

interface Edit {
  readonly name: string;
  readonly target: Tensor;
  readonly half: DType | null;
  /** The arguments, of which none but the first is the target itself. */
  readonly argsApart: Arguments;
}

/** What an elementwise edit makes of all that its target shows. */
function edited(session: Session, { spec, args }: Called, edit: Edit): Result {
  const ctx = { ...contextOf(session), inPlace: true };
  const { name, target, half, argsApart } = edit;
  const once = () => spec.build(ctx, argsApart as never);
  if (!isElementwise(keyOf(spec)) || !showsTwice(target)) return once();
  const compute = (row: Arguments) => {
    const result = single(session, spec.build(ctx, row as never));
    const { value, isComplex } = finish(session, result, half);
    const isOwn = value.dtype === target.dtype && isComplex === target.isComplex;
    return isOwn || value.dtype === "bool" ? cast(session, value, target.dtype) : null;
  };
  const savesResult = savedNames(session, spec, args).includes("result");
  const typed = editedInTurn(ctx, { name, target, args, argsApart, savesResult, compute });
  return typed === null ? once() : { typed, as: typeOf(target) };
}

const fillsAlike = (spec: AnyCall, args: Arguments): boolean =>
  typeof spec.fills === "function" ? spec.fills(args as never) : spec.fills === true;

/** A result that is an argument's very value (a sum over an axis of size 1) has a gradient of its own. */
const ownResult = (session: Session, value: Value, tensors: readonly Tensor[]): Value =>
  value.requiresGrad && tensors.some(({ cached }) => cached?.value === value)
    ? session.emit.op("Identity", [value])
    : value;

/** A call that has run, and what it took. */
interface Called {
  readonly spec: AnyCall;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tensors: readonly Tensor[];
}

/** Of what Python writes, the name of its function. */
const nameOf = (spec: AnyCall, { by }: Arguments): string =>
  typeof by === "string" ? by : spec.name;

const keyOf = (spec: AnyCall): string => spec.key ?? spec.name;

function give(
  session: Session,
  result: Result,
  half: DType | null,
  masked: boolean,
  call: Called,
): Given {
  if (Array.isArray(result))
    return (result as readonly Result[]).map((item) => give(session, item, half, masked, call));
  const one = result as Value | Tensor | Typed;
  const { spec, args, tensors: operands } = call;
  const taken = { key: keyOf(spec), args };
  if (isTensor(one)) {
    const view = operands.includes(one) ? one : viewOfFollowed(session, taken, one);
    if (masked) view.masked = true;
    return view;
  }
  const { value, isComplex } = finish(session, one, half);
  const shape = isComplex ? value.shape.slice(0, -1) : value.shape;
  const requiresGrad = () => value.requiresGrad;
  const laid = { args, operands, shape, requiresGrad };
  const strides =
    isTyped(one) && one.strides !== undefined ? one.strides : stridesOfResult(taken.key, laid);
  const own = madeOfFollowed(session, taken, ownResult(session, value, operands));
  const tensor = session.store.fromValue(own, isComplex, strides);
  tensor.hasHiddenBase = (isTyped(one) && one.hasHiddenBase) || hasHiddenBase(taken.key, laid);
  if (tensor.hasHiddenBase && !session.emit.gradMode) tensor.takenAs = "under no_grad";
  if (masked || (isTyped(one) && one.masked)) tensor.masked = true;
  if (isTyped(one) && one.conjugated) tensor.conjugated = true;
  return tensor;
}

function typeOfResult(session: Session, result: Result, half: DType | null): TorchType {
  const made = single(session, result);
  if (isTyped(made)) return made.as;
  return half !== null && made.dtype === "float32" ? half : made.dtype;
}

/** The value in the type that PyTorch gives it. */
function finish(
  session: Session,
  result: Value | Typed,
  half: DType | null,
): { value: Value; isComplex: boolean } {
  if (isTyped(result)) {
    if (isComplexType(result.as)) return { value: result.typed, isComplex: true };
    return { value: cast(session, result.typed, result.as), isComplex: false };
  }
  const value = half !== null && result.dtype === "float32" ? cast(session, result, half) : result;
  return { value, isComplex: false };
}

const cast = (session: Session, value: Value, to: DType): Value =>
  value.dtype === to ? value : session.emit.op("Cast", [value], { to });

function single(session: Session, result: Result): Value | Typed {
  invariant(!Array.isArray(result), "an in-place call has one result");
  const one = result as Value | Tensor | Typed;
  if (isTyped(one) || isValue(one)) return one;
  return { typed: session.store.read(one), as: typeOf(one) };
}

/** Writes a result over all of `target`, in its type and shape. */
export function overwrite(
  session: Session,
  target: Tensor,
  result: Value | Typed,
  half: DType | null,
  /** Which places of the target are written; others show what was there. */
  places: "all" | "some" = "all",
): void {
  const { value: made, isComplex } = finish(session, result, half);
  const from = isComplex ? "complex64" : made.dtype;
  if (category(from) > category(typeOf(target)))
    throw torchError(
      "RuntimeError",
      `result type ${cppName(from)} can't be cast to the desired output type ${cppName(typeOf(target))}`,
    );
  const isWidened = target.isComplex && !isComplex;
  const value = isWidened ? asPair(session, cast(session, made, target.dtype)) : made;
  const wanted = valueShape(target);
  refuseShape(value.shape, wanted, target);
  const typed = cast(session, value, target.dtype);
  const fitted = sameShape(typed.shape, wanted)
    ? typed
    : numel(typed.shape) === numel(wanted)
      ? reshapeTo(session.emit, typed, wanted)
      : session.emit.op("Expand", [typed, session.emit.ints(wanted)]);
  const shown = places === "all" ? writtenInTurn(session.emit, fitted, target) : fitted;
  session.store.write(target, refuseGradientsOf(session, target, shown));
}

/** Where one element is shown several times PyTorch cannot put the gradients of an edit back. */
export function refuseGradientsOf(
  { store, emit }: Pick<Session, "store" | "emit">,
  target: Tensor,
  value: Value,
): Value {
  if (!emit.gradMode || repeatedAxes(target).length === 0 || numel(target.shape) === 0)
    return value;
  return underivable(emit, value, [store.read(target)], shownTwice());
}

/** The half type that a call's results have, where promotion of its arguments gives one. */
function halfType(session: Session, args: Readonly<Record<string, unknown>>): DType | null {
  const tensors = Object.values(args).flatMap(tensorsIn);
  if (!tensors.some((tensor) => isHalf(tensor.dtype))) return null;
  const type = resultType(
    tensors.filter((tensor) => isFloat(tensor.dtype)),
    session.defaultFloat,
  );
  return type === "float16" || type === "bfloat16" ? type : null;
}
