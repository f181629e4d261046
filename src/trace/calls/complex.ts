/** Making complex tensors and taking them apart. */
import { torchError } from "../../errors.ts";
import type { Value } from "../../graph/graph.ts";
import { isFloat, numel } from "../../graph/tensor.ts";
import type { Emitter } from "../../ops/emitter.ts";
import { expandTo, signOf, zerosOf } from "../../ops/write.ts";
import { tensor } from "../arguments.ts";
import { type CallContext, type Result, torchCall } from "../call.ts";
import { isComplexType, type TorchType, typeOf } from "../promotion.ts";
import type { Store } from "../store.ts";
import type { Tensor, ViewStep } from "../tensor.ts";
import { cppName } from "../typeNames.ts";
import { angle, direction, fromPolar, modulus } from "./complexFunctions.ts";
import { conjugate, pair, parts } from "./complexNumbers.ts";

const both = ["torch", "Tensor"] as const;

const complexOf = (type: TorchType): TorchType => (type === "float64" ? "complex128" : "complex64");

function needEqualFloats(a: Tensor, b: Tensor, names: string): void {
  const fits = (x: Tensor) => isFloat(x.dtype) && x.dtype !== "bfloat16" && !x.isComplex;
  if (!fits(a) || !fits(b))
    throw torchError(
      "NotImplementedError",
      `Expected both inputs to be Half, Float or Double tensors but got ${cppName(typeOf(a))} and ${cppName(typeOf(b))}`,
    );
  if (a.dtype !== b.dtype)
    throw torchError(
      "RuntimeError",
      `Expected object of scalar type ${cppName(typeOf(a))} but got scalar type ${cppName(typeOf(b))} for second argument`,
      `${names} need one element type`,
    );
}

/** Their complex numbers would be of a type that is not here. */
function refuseHalves(name: string, part: Tensor): void {
  if (part.dtype === "float16")
    throw torchError("UnsupportedCall", `${name} of half precision is not supported`);
}

export const complex = torchCall({
  name: "complex",
  in: ["torch"],
  params: { real: tensor, imag: tensor },
  savesFor: { real: ["real"], imag: ["imag"] },
  build: (ctx, { real, imag }) => {
    needEqualFloats(real, imag, "real and imag");
    refuseHalves("torch.complex", real);
    const { emit } = ctx;
    const [a, b] = [ctx.read(real), ctx.read(imag)];
    const { shape } = emit.op("Add", [a, b]);
    const value = pair(emit, expandTo(emit, a, shape), expandTo(emit, b, shape));
    return { typed: value, as: complexOf(real.dtype) };
  },
});

export const polar = torchCall({
  name: "polar",
  in: ["torch"],
  params: { abs: tensor, angle: tensor },
  savesFor: { abs: ["result"], angle: ["result"] },
  build: (ctx, { abs, angle: theta }) => {
    needEqualFloats(abs, theta, "abs and angle");
    refuseHalves("torch.polar", abs);
    const [r, turn] = [ctx.read(abs), ctx.read(theta)];
    const { shape } = ctx.emit.op("Add", [r, turn]);
    const full = [r, turn].map((part) => expandTo(ctx.emit, part, shape)) as [Value, Value];
    const value = polarOf(ctx.emit, ...full);
    return { typed: value, as: complexOf(abs.dtype) };
  },
});

/** PyTorch's gradient of the modulus is Re(conj(z / |z|) · dz): 0 at 0, its sign that of the modulus. */
function polarOf(emit: Emitter, r: Value, theta: Value): Value {
  const made = emit.grouped(
    [r, theta],
    () => [fromPolar(emit, r, theta)],
    (backward, [d]) => {
      if (!d) return [null, null];
      if (numel(r.shape) === 0)
        return [r, theta].map((part) => zerosOf(backward, part.dtype, part.shape));
      const z = made[0] as Value;
      const along = (to: Value) =>
        backward.op("ReduceSum", [backward.op("Mul", [d, to]), backward.ints([-1])], {
          keepdims: 0,
        });
      const [re, im] = parts(backward, z);
      const turned = pair(backward, backward.op("Neg", [im]), re);
      return [along(direction(backward, z)), along(turned)];
    },
  );
  return made[0] as Value;
}

/** One part of the pairs: an edit of it reaches the complex tensor. */
function partView(ctx: CallContext, input: Tensor, part: 0 | 1): Tensor {
  const step: ViewStep = {
    name: part === 0 ? "real" : "imag",
    apply: (emit, parent) => parts(emit, parent)[part],
    write: (emit, parent, given) => {
      const [re, im] = parts(emit, parent);
      return part === 0 ? pair(emit, given, im) : pair(emit, re, given);
    },
  };
  const window = {
    shape: input.shape,
    strides: input.strides.map((stride) => stride * 2),
    offset: input.offset * 2 + part,
    isComplex: false,
    conjugated: false,
    negated: part === 1 && input.negated !== "nothing" ? "all" : "nothing",
  } as const;
  return ctx.store.view(input, window, step);
}

export const real = torchCall({
  name: "real",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => (input.isComplex ? partView(ctx, input, 0) : input),
});

export const imag = torchCall({
  name: "imag",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }) => {
    if (!input.isComplex)
      throw torchError("TypeError", "imag is not implemented for tensors with non-complex dtypes.");
    return partView(ctx, input, 1);
  },
});

/** The same memory with imaginary parts negated. */
export function conjugateView(store: Store, input: Tensor): Tensor {
  const { shape, strides, offset } = input;
  const negated = input.negated === "nothing" ? "imaginary parts" : "nothing";
  return store.view(
    input,
    { shape, strides, offset, negated, conjugated: !input.conjugated },
    {
      name: "conj",
      apply: conjugate,
      write: (emit, _parent, part) => conjugate(emit, part),
    },
  );
}

/** The conjugate; real tensors are their own. */
function conjugation(name: string, inPlace: boolean) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    ...(inPlace ? { inPlace: true } : {}),
    moves: true,
    build: (ctx, { input }): Result => {
      if (input.isComplex && !inPlace) return conjugateView(ctx.store, input);
      const x = ctx.store.read(input);
      if (input.isComplex) return { typed: conjugate(ctx.emit, x), as: typeOf(input) };
      return ctx.inPlace ? { typed: x, as: typeOf(input) } : input;
    },
  });
}
export const conj = conjugation("conj", false);
export const conjPhysical = conjugation("conj_physical", true);

/** Conjugates and negatives are computed at once here: there is nothing left to resolve. */
export const resolveConj = torchCall({
  name: "resolve_conj",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (ctx, { input }): Result =>
    input.conjugated
      ? { typed: ctx.emit.op("Identity", [ctx.store.read(input)]), as: typeOf(input) }
      : input,
});
export const resolveNeg = torchCall({
  name: "resolve_neg",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (_ctx, { input }) => input,
});

/** Of a real number: π below 0. */
export const angleCall = torchCall({
  name: "angle",
  in: both,
  params: { input: tensor },
  saves: ["input"],
  build: (ctx, { input }) => {
    const { emit } = ctx;
    const type = ctx.promoteToFloat(input);
    const x = ctx.as(input, type);
    if (isComplexType(type)) return { typed: angle(emit, x), as: x.dtype };
    const zero = emit.scalar(0, x.dtype);
    const turned = emit.op("Where", [
      emit.op("Less", [x, zero]),
      emit.scalar(Math.PI, x.dtype),
      zero,
    ]);
    return { typed: emit.op("Where", [emit.op("IsNaN", [x]), x, turned]), as: type };
  },
});

/** |x|: of a complex number its modulus. */
function absolute(name: "abs" | "absolute") {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    inPlace: true,
    saves: ["input"],
    build: (ctx, { input }) => {
      const x = ctx.store.read(input);
      if (ctx.inPlace && input.isComplex)
        throw torchError("RuntimeError", "In-place abs is not supported for complex tensors.");
      if (input.isComplex) return { typed: modulus(ctx.emit, x), as: input.dtype };
      if (input.dtype === "bool")
        throw torchError("NotImplementedError", `"abs_cpu" not implemented for 'Bool'`);
      return { typed: ctx.emit.op("Abs", [x]), as: typeOf(input) };
    },
  });
}
export const abs = absolute("abs");
export const absoluteCall = absolute("absolute");

/** z / |z|; of a real number its sign. */
export const sgn = torchCall({
  name: "sgn",
  in: both,
  params: { input: tensor },
  inPlace: true,
  build: (ctx, { input }) => {
    const x = ctx.store.read(input);
    const value = input.isComplex ? direction(ctx.emit, x) : signOf(ctx.emit, x);
    return { typed: value, as: typeOf(input) };
  },
});

export const isreal = torchCall({
  name: "isreal",
  in: both,
  params: { input: tensor },
  build: (ctx, { input }) => {
    const { emit } = ctx;
    if (!input.isComplex) return expandTo(emit, emit.scalar(1, "bool"), input.shape);
    const [, im] = parts(emit, ctx.store.read(input));
    return emit.op("Equal", [im, emit.scalar(0, im.dtype)]);
  },
});
