/**
 * Writes a graph node by node: types inferred at once, small constants shared, known numbers
 * folded.
 */
import { invariant, unknownOp } from "../errors.ts";
import type { Attrs, Emit, Node, Origin, Value } from "../graph/graph.ts";
import {
  allocate,
  type DType,
  type HostArray,
  isFloat,
  isHalf,
  isHeldExactly,
  numel,
  type TensorType,
} from "../graph/tensor.ts";
import { type AnyOp, byName } from "./defineOp.ts";
import { opNamed } from "./registry.ts";
import { type Shortened, shortened } from "./shorten.ts";

export interface Emitter extends Emit {
  /** In execution order. */
  readonly nodes: Node[];
  /** The origin of the nodes that follow. */
  origin: Origin;
  gradMode: boolean;
  /** The node that made a value; null: it is no node's. */
  makerOf(value: Value): Node | null;
  /** A value that is fed at every run. */
  input(type: TensorType, options: InputOptions): Value;
  /** The same numbers as a leaf: it requires a gradient, which goes no further. */
  leaf(value: Value): Value;
}

export interface InputOptions {
  readonly role: "parameter" | "input";
  readonly name: string | null;
  readonly requiresGrad: boolean;
  readonly data: Value["data"];
}

export interface EmitterOptions {
  /**
   * Whether a node whose inputs are all constants is evaluated on the host, where it is small;
   * default: always.
   */
  mayFold?(op: AnyOp, inputs: readonly (Value | null)[], out: readonly TensorType[]): boolean;
  /** No graph will be run: every node of constants is evaluated, however large. */
  readonly foldsAll?: boolean;
  /** Computes what an operator without `evaluate` gives; absent: such nodes are written. */
  evaluateElsewhere?(
    op: string,
    inputs: readonly (HostArray | null)[],
    attrs: Attrs,
    out: readonly TensorType[],
  ): readonly HostArray[];
}

/**
 * Elements up to which a node of constants is evaluated: what is larger costs more to feed than to
 * compute.
 */
const foldLimit = { forward: 1 << 22, statistic: 1 << 22, backward: 1 << 12 } as const;
const sharedLimit = 64;
let nextId = 1;

export const noOrigin: Origin = { direction: "forward", call: null, group: null };

export function createEmitter(options: EmitterOptions = {}): Emitter {
  const shared = new Map<string, Value>();
  const makers = new Map<number, Node>();
  const backward = createMemo();
  const mayFold: EmitterOptions["mayFold"] = (op, inputs, out) =>
    options.foldsAll === true ||
    (out.every((type) => numel(type.shape) <= foldLimit[emitter.origin.direction]) &&
      (options.mayFold?.(op, inputs, out) ?? true));

  const emitter: Emitter = {
    nodes: [],
    origin: noOrigin,
    gradMode: true,

    op: (type, inputs, attrs) => {
      const first = emitter.ops(type, inputs, attrs, 1)[0];
      invariant(first, `${type} has no output`);
      return first;
    },

    makerOf: ({ id }) => makers.get(id) ?? null,

    ops(type, givenInputs, givenAttrs, outputs) {
      const def = opNamed(type);
      if (def === null) throw unknownOp(type, null);
      const short = shorten(type, givenInputs, givenAttrs ?? {});
      const [same] = short?.inputs ?? [];
      if (short?.attrs === null && same) return [same];
      const inputs = short?.inputs ?? givenInputs;
      const attrs = short?.attrs ?? givenAttrs ?? {};
      const key = backward.keyOf(emitter.origin, type, inputs, attrs, outputs);
      const written = backward.get(key);
      if (written) return written;
      const types = def.infer(
        byName(def.inputs, inputs) as never,
        { ...def.attrs, ...attrs } as never,
        outputs,
      );
      const differentiated = emitter.origin.group?.inputs ?? inputs;
      const requiresGrad =
        emitter.gradMode && differentiated.some((value) => value?.requiresGrad === true);
      if (!requiresGrad && inputs.every(isKnown) && mayFold(def, inputs, types)) {
        const arrays = evaluate(def, type, inputs, attrs, types);
        // Integers that no double holds are left to the runtime, which keeps them and wraps.
        if (arrays?.every(isHeldExactly)) return arrays.map((array) => emitter.constant(array));
      }
      if (inputs.some(isHalfValue) && !runsOnHalf(type, attrs))
        return throughFloat32(type, inputs, attrs, types);
      const made = types.map(
        (out): Value => ({
          id: nextId++,
          role: "node",
          dtype: out.dtype,
          shape: out.shape,
          requiresGrad: requiresGrad && isFloat(out.dtype),
          data: null,
          name: null,
        }),
      );
      const node = { op: type, inputs, outputs: made, attrs, origin: emitter.origin };
      emitter.nodes.push(node);
      for (const { id } of made) makers.set(id, node);
      backward.set(key, made);
      return made;
    },

    constant(array) {
      const key = keyOf(array);
      const known = key === null ? undefined : shared.get(key);
      if (known) return known;
      const value: Value = {
        id: nextId++,
        role: "constant",
        dtype: array.dtype,
        shape: array.shape,
        requiresGrad: false,
        data: array.data,
        name: null,
      };
      if (key !== null) shared.set(key, value);
      return value;
    },

    scalar(number, dtype) {
      const data = allocate(dtype, 1);
      data[0] = number;
      return emitter.constant({ dtype, shape: [], data });
    },

    ints: (values) =>
      emitter.constant({ dtype: "int64", shape: [values.length], data: Float64Array.from(values) }),

    leaf(value) {
      const made: Value = { ...value, id: nextId++, role: "node", requiresGrad: true, data: null };
      const group = { inputs: [], outputs: [made], gradient: () => [] };
      const origin = { ...emitter.origin, group };
      emitter.nodes.push({ op: "Identity", inputs: [value], outputs: [made], attrs: {}, origin });
      return made;
    },

    grouped(inputs, make, gradient) {
      const { origin } = emitter;
      if (origin.group !== null) return make();
      const outputs: Value[] = [];
      emitter.origin = { ...origin, group: { inputs, outputs, gradient } };
      try {
        outputs.push(...make());
      } finally {
        emitter.origin = origin;
      }
      return outputs;
    },

    input: (type, { role, name, requiresGrad, data }) => ({
      id: nextId++,
      role,
      dtype: type.dtype,
      shape: type.shape,
      requiresGrad,
      data,
      name,
    }),
  };

  /**
   * In the forward pass a value between two movements gets a gradient of its own, unless a group
   * has one rule; but what a group gives must be made by one of its nodes.
   */
  function shorten(
    type: string,
    inputs: readonly (Value | null)[],
    attrs: Attrs,
  ): Shortened | null {
    const { direction, group } = emitter.origin;
    if (direction !== "backward" && group === null) return null;
    const short = shortened(type, inputs, attrs, emitter.makerOf);
    return short?.attrs === null && direction !== "backward" ? null : short;
  }

  function throughFloat32(
    type: string,
    inputs: readonly (Value | null)[],
    attrs: Attrs,
    types: readonly TensorType[],
  ): Value[] {
    const cast = (value: Value, to: DType) => emitter.op("Cast", [value], { to });
    const wide = inputs.map((value) => (isHalfValue(value) ? cast(value, "float32") : value));
    const made = emitter.ops(type, wide, attrs, types.length);
    return made.map((value, k) => {
      const wanted = types[k]?.dtype ?? value.dtype;
      return wanted === value.dtype ? value : cast(value, wanted);
    });
  }

  function evaluate(
    def: AnyOp,
    type: string,
    inputs: readonly (Value | null)[],
    attrs: Attrs,
    types: readonly TensorType[],
  ): readonly HostArray[] | null {
    if (def.evaluate) {
      const out = def.evaluate(
        byName(def.inputs, inputs) as never,
        { ...def.attrs, ...attrs } as never,
        types,
      );
      return out.slice(0, types.length);
    }
    return (
      options.evaluateElsewhere?.(type, inputs as readonly (HostArray | null)[], attrs, types) ??
      null
    );
  }

  return emitter;
}

const isHalfValue = (value: Value | null): value is Value => value !== null && isHalf(value.dtype);

/**
 * Operators that move elements or look at them one by one: these have kernels for both half types.
 */
const movesElements = new Set([
  "Cast",
  "CastLike",
  "Concat",
  "ConstantOfShape",
  "Gather",
  "GatherElements",
  "GatherND",
  "Identity",
  "IsInf",
  "IsNaN",
  "Reshape",
  "ScatterElements",
  "ScatterND",
  "Shape",
  "Slice",
  "Split",
  "Squeeze",
  "Transpose",
  "Unsqueeze",
]);

/**
 * All else is computed in float32 and rounded to the type after every operation, as PyTorch does.
 */
const runsOnHalf = (type: string, attrs: Attrs): boolean =>
  movesElements.has(type) && (attrs["reduction"] ?? "none") === "none";

const isKnown = (value: Value | null): boolean => value === null || value.role === "constant";

/** Equal for equal arrays that are small or of one number; null: not looked for. */
function keyOf({ dtype, shape, data }: HostArray): string | null {
  const [first] = data;
  const uniform = data.every((x) => Object.is(x, first));
  if (!uniform && data.length > sharedLimit) return null;
  return `${dtype}[${shape.join()}]${signedJoin(uniform ? data.subarray(0, 1) : data)}`;
}

/** -0 and 0 are different constants. */
function signedJoin(data: HostArray["data"]): string {
  let text = "";
  for (const x of data) text += Object.is(x, -0) ? "-0," : `${x},`;
  return text;
}

/**
 * The backward nodes of one forward node: the rules of its inputs are written one by one, and what
 * two of them need alike is written once.
 */
function createMemo() {
  let origin: Origin | null = null;
  let written = new Map<string, Value[]>();
  return {
    keyOf(
      at: Origin,
      op: string,
      inputs: readonly (Value | null)[],
      attrs: Attrs,
      outputs: number,
    ): string | null {
      if (at.direction !== "backward") return null;
      if (at !== origin) {
        origin = at;
        written = new Map();
      }
      return `${op}:${outputs}(${inputs.map((x) => x?.id).join()})${JSON.stringify(attrs)}`;
    },
    get: (key: string | null): Value[] | undefined => (key === null ? undefined : written.get(key)),
    set(key: string | null, values: Value[]): void {
      if (key !== null) written.set(key, values);
    },
  };
}
