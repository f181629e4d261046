/** What a call's `build` works with, in one session. */
import type { Value } from "../graph/graph.ts";
import { type DType, isFloat, isHalf, toInteger } from "../graph/tensor.ts";
import { expandTo } from "../ops/write.ts";
import { isTensor, type Scalar } from "./arguments.ts";
import type { CallContext } from "./call.ts";
import { realPart } from "./calls/complexNumbers.ts";
import { drawsOf } from "./draws.ts";
import {
  computeType,
  isComplexType,
  promoteTypes,
  resultType,
  type TorchType,
} from "./promotion.ts";
import { roundedBack, roundsSteps } from "./rounding.ts";
import type { Session } from "./session.ts";

export function contextOf(session: Session): CallContext {
  const { store, emit } = session;
  const ctx: CallContext = {
    emit,
    store,
    generator: session.generator,
    ...drawsOf(session),
    defaultFloat: session.defaultFloat,
    autocast: session.autocast,
    inStep: store.inStep,
    countsOnly: session.countsOnly,
    isFree: (size) => session.freeSizes.has(size),
    inPlace: false,
    read(tensor) {
      const value = store.read(tensor);
      return isHalf(value.dtype) ? emit.op("Cast", [value], { to: "float32" }) : value;
    },
    as(operand, type) {
      const to = computeType(type);
      if (!isTensor(operand)) return scalarAs(session, operand, type);
      const held = store.read(operand);
      const value = operand.isComplex && !isComplexType(type) ? realPart(emit, held) : held;
      const typed = value.dtype === to ? value : emit.op("Cast", [value], { to });
      if (isComplexType(type)) return operand.isComplex ? typed : asPair(session, typed);
      // A wider tensor without axes takes part as a number: its gradient is one of the call's type.
      const isWider = roundsSteps(type) && isFloat(value.dtype) && value.dtype !== type;
      return isWider ? roundedBack(emit, typed, type) : typed;
    },
    promote: (...operands) => resultType(operands, session.defaultFloat),
    promoteToFloat(...operands) {
      const type = resultType(operands, session.defaultFloat);
      return isComplexType(type) || isFloat(type) ? type : promoteTypes(type, session.defaultFloat);
    },
    noteNorm(note) {
      if (session.running) session.norms.push({ ...note, call: session.running });
    },
    noteDropout(input, p) {
      const { running } = session;
      if (running && store.inStep)
        session.dropouts.push({ call: running, input: store.read(input), p });
    },
    noteAttention(note) {
      if (session.running) session.attention.push({ ...note, call: session.running });
    },
  };
  return ctx;
}

function scalarAs(session: Session, scalar: Scalar, type: TorchType): Value {
  const to = computeType(type);
  if (!isComplexType(type)) return session.emit.scalar(castNumber(scalar.value, to), to);
  const data =
    to === "float64"
      ? Float64Array.of(scalar.value, scalar.imaginary ?? 0)
      : Float32Array.of(scalar.value, scalar.imaginary ?? 0);
  return session.emit.constant({ dtype: to, shape: [2], data });
}

/** What a Python number becomes in an element type: integers cut off the fraction. */
function castNumber(value: number, to: DType): number {
  if (to === "bool") return value === 0 ? 0 : 1;
  return isFloat(to) ? value : toInteger(value);
}

/** A real value as complex pairs. */
export function asPair(session: Session, real: Value): Value {
  const { emit } = session;
  const last = emit.op("Unsqueeze", [real, emit.ints([real.shape.length])]);
  const zero = expandTo(emit, emit.scalar(0, real.dtype), last.shape);
  return emit.op("Concat", [last, zero], { axis: -1 });
}
