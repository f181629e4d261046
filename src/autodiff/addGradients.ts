/** Reverse mode in one walk: a forward graph and its loss in, the same graph with backward nodes out. */
import { invariant, noGradientRule } from "../errors.ts";
import type { Emit, GradientGroup, Graph, Node, Origin, Value } from "../graph/graph.ts";
import { isFloat, isHalf, numel, sameShape } from "../graph/tensor.ts";
import { type AnyOp, byName } from "../ops/defineOp.ts";
import type { Emitter } from "../ops/emitter.ts";
import { opNamed } from "../ops/registry.ts";
import { asAddend, expandTo, noneLike, reshapeTo } from "../ops/write.ts";

export interface GradientHooks {
  /** A walk begins, at these values. */
  onStart?(ends: readonly Value[]): void;
  /** The gradient of `value` is complete: what is returned takes its place (Tensor.register_hook). */
  onGradient?(value: Value, gradient: Value): Value;
  /** Whether the last axis of `value` has the parts of complex numbers. */
  isComplex?(value: Value): boolean;
  /** A torch call is about to be differentiated (PyTorch checks its saved tensors here). */
  onCall?(node: Node): void;
}

export interface GradientResult {
  readonly graph: Graph;
  /** dLoss/dValue, summed over all uses; null where the loss does not reach or none is required. */
  gradientOf(value: Value): Value | null;
  /** The same after the hooks of the value: what Tensor.grad of a leaf is. */
  gradientAfterHooks(value: Value): Value | null;
}

/**
 * `emit` receives the backward nodes after the forward ones. Rules know nothing of the walk: it sums
 * the gradients of all uses, sums a broadcast operand's gradient back to its shape, and gives zeros
 * for outputs that the loss does not use.
 */
export function addGradients(
  graph: Graph,
  loss: Value,
  emit: Emitter,
  hooks: GradientHooks = {},
): GradientResult {
  invariant(numel(loss.shape) === 1, "the loss must have one element");
  emit.gradMode = false;
  emit.origin = { direction: "backward", call: null, group: null };
  const one = reshapeTo(emit, emit.scalar(1, loss.dtype), loss.shape);
  const { received, complete, finish } = walkBack(graph.nodes, [[loss, one]], emit, hooks);
  for (const value of graph.inputs) finish(value);
  finish(loss);
  return {
    graph: { inputs: graph.inputs, nodes: [...emit.nodes], outputs: graph.outputs },
    gradientOf: (value) => received.get(value.id) ?? null,
    gradientAfterHooks: (value) => complete.get(value.id) ?? null,
  };
}

/** What a walk backwards has found. */
export interface Walked {
  /** By value id, the gradients before their hooks. */
  readonly received: ReadonlyMap<number, Value>;
  /** By value id, the gradients after their hooks. */
  readonly complete: ReadonlyMap<number, Value>;
  /** The sum of what has arrived, after its hooks; null: nothing has. Nothing may arrive later. */
  finish(value: Value): Value | null;
}

export interface WalkOptions {
  /** Ids of the values that gradients go through; null: all of them. */
  readonly within: ReadonlySet<number> | null;
  /** Of the nodes that a node's gradient consists of. */
  originOf(node: Node): Origin;
}

/**
 * From values with the gradients that they begin with, back through `nodes`. Backward nodes are as
 * differentiable as `emit.gradMode` says.
 */
export function walkBack(
  nodes: readonly Node[],
  starts: readonly (readonly [Value, Value])[],
  emit: Emitter,
  hooks: GradientHooks,
  { within, originOf }: WalkOptions = { within: null, originOf: backwardOf },
): Walked {
  const arrived = new Map<number, Value[]>();
  const unheard = new Map<number, Value[]>();
  const received = new Map<number, Value>();
  const complete = new Map<number, Value>();
  const finished = new Set<GradientGroup>();
  const roundedResults = resultsInHalf(nodes);
  const isWanted = (value: Value | null | undefined): boolean =>
    value?.requiresGrad === true && (within === null || within.has(value.id));

  const arrive = (value: Value, gradient: Value | null | undefined, at = arrived) => {
    if (!gradient || !isWanted(value)) return;
    const sum = sumTo(emit, gradient, value.shape);
    const others = at.get(value.id);
    if (others) others.push(sum);
    else at.set(value.id, [sum]);
  };

  const sumOfArrived = (value: Value, at: Map<number, Value[]>): Value | null => {
    const parts = at.get(value.id);
    at.delete(value.id);
    if (!parts) return null;
    const add = hooks.isComplex?.(value) ? accumulateComplex : accumulate;
    return expandTo(emit, add(emit, parts), value.shape);
  };

  const finish = (value: Value): Value | null => {
    const known = complete.get(value.id);
    if (known) return known;
    const total = sumOfArrived(value, arrived);
    if (total) received.set(value.id, total);
    const heard = total && (hooks.onGradient?.(value, total) ?? total);
    const past = sumOfArrived(value, unheard);
    const gradient = heard && past ? accumulate(emit, [heard, past]) : (heard ?? past);
    if (gradient) complete.set(value.id, gradient);
    return gradient;
  };

  hooks.onStart?.(starts.map(([value]) => value));
  for (const [value, gradient] of starts) arrive(value, gradient);
  // Backward nodes are appended while the walk goes on.
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as Node;
    const { group } = node.origin;
    emit.origin = originOf(node);
    if (group !== null && !finished.has(group)) {
      finished.add(group);
      differentiateGroup(group, node);
    }
    if (group === null) differentiate(node, node.outputs.map(finish));
    else differentiateWithin(group, node);
  }

  function differentiateGroup(group: GradientGroup, node: Node) {
    const dOutputs = group.outputs.map(finish);
    if (dOutputs.every((d) => d === null) || !group.inputs.some(isWanted)) return;
    hooks.onCall?.(node);
    const dInputs = group.gradient(emit, dOutputs, isWanted);
    group.inputs.forEach((value, i) => {
      arrive(value, dInputs[i]);
    });
  }

  /** A gradient that was computed within the run may rest on what a group computed on its way. */
  function differentiateWithin(group: GradientGroup, node: Node) {
    const isOnTheWay = (value: Value) => arrived.has(value.id) && !group.outputs.includes(value);
    if (!node.outputs.some(isOnTheWay)) return;
    differentiate(
      node,
      node.outputs.map((value) => (isOnTheWay(value) ? finish(value) : null)),
    );
  }

  function differentiate(node: Node, dOutputs: readonly (Value | null)[]) {
    if (dOutputs.every((d) => d === null) || !node.inputs.some(isWanted)) return;
    const def = opNamed(node.op);
    invariant(def, `no definition of ${node.op}`);
    hooks.onCall?.(node);
    const at = byName(def.inputs, node.inputs);
    const out = byName(
      def.outputs,
      node.outputs.map((value) => {
        const held = roundedResults.get(value.id);
        return held ? emit.op("Cast", [held], { to: value.dtype }) : value;
      }),
    );
    const d = byName(
      def.outputs,
      node.outputs.map((value, i) => dOutputs[i] ?? noneLike(emit, value)),
    );
    const attrs = { ...def.attrs, ...node.attrs };
    def.inputs.forEach((declared, i) => {
      const variadic = declared.endsWith("*");
      const name = declared.replace(/[?*]$/, "");
      const values = variadic ? node.inputs.slice(i) : [node.inputs[i] ?? null];
      if (!values.some(isWanted)) return;
      const rule = ruleOf(def, name, node);
      const result = rule(emit, at, out, d, attrs);
      const gradients = (variadic ? result : [result]) as readonly (Value | null)[];
      values.forEach((value, k) => {
        if (value) arrive(value, gradients[k], node.origin.isUnheard ? unheard : arrived);
      });
    });
  }

  return { received, complete, finish };
}

/** By the id of what a torch call computed in single precision, its result in half: what PyTorch keeps. */
function resultsInHalf(nodes: readonly Node[]): ReadonlyMap<number, Value> {
  const makers = new Map<number, Node>();
  const results = new Map<number, Value>();
  for (const node of nodes) {
    const [input] = node.inputs;
    const [made] = node.outputs;
    const maker = input && makers.get(input.id);
    const { dispatch } = node.origin;
    if (node.op === "Cast" && made && isHalf(made.dtype) && maker && dispatch)
      if (maker.origin.dispatch === dispatch) results.set(input.id, made);
    for (const { id, dtype } of node.outputs) if (dtype === "float32") makers.set(id, node);
  }
  return results;
}

/** Ids of the values that rest on one of `from`, these among them, through those that `follows` takes. */
export function restingOn(
  nodes: readonly Node[],
  from: readonly Value[],
  follows: (value: Value) => boolean = () => true,
): ReadonlySet<number> {
  const found = new Set(from.map(({ id }) => id));
  for (const { inputs, outputs, origin } of nodes) {
    const rests = [...inputs, ...(origin.group?.inputs ?? [])].some(
      (value) => value !== null && found.has(value.id),
    );
    if (rests) for (const value of outputs) if (follows(value)) found.add(value.id);
  }
  return found;
}

/** Ids of the values whose gradients a walk from `ends` goes through, these among them. */
export function reachedFrom(nodes: readonly Node[], ends: readonly Value[]): ReadonlySet<number> {
  const found = new Set(ends.filter((value) => value.requiresGrad).map(({ id }) => id));
  for (const { inputs, outputs, origin } of nodes.toReversed()) {
    const { group } = origin;
    if (![...outputs, ...(group?.outputs ?? [])].some(({ id }) => found.has(id))) continue;
    for (const value of group?.inputs ?? inputs) if (value?.requiresGrad) found.add(value.id);
  }
  return found;
}

type Rule = (emit: Emit, at: unknown, out: unknown, d: unknown, attrs: unknown) => unknown;

function ruleOf(def: AnyOp, input: string, node: Node): Rule {
  const rule = def.grad[input];
  if (typeof rule === "function") return rule as Rule;
  const site = node.origin.call?.site;
  throw noGradientRule(def.type, input, site ?? null);
}

const backwardOf = ({ origin }: Node): Origin => ({
  direction: "backward",
  call: origin.call,
  group: null,
});

/** One n-ary Sum; half precision rounds after every addition, as PyTorch does. */
function accumulate(emit: Emitter, parts: readonly Value[]): Value {
  const [first, ...others] = parts as [Value, ...Value[]];
  if (others.length === 0) return first;
  if (!isHalf(first.dtype)) return sumWithScattered(emit, parts);
  const to = (x: Value, dtype: string) => emit.op("Cast", [x], { to: dtype });
  return others.reduce(
    (sum, part) => to(emit.op("Add", [to(sum, "float32"), to(part, "float32")]), first.dtype),
    first,
  );
}

/** What arrives later is the addend of PyTorch's sum; a number that stands for all parts is a pair first. */
const accumulateComplex = (emit: Emitter, parts: readonly Value[]): Value =>
  parts
    .map((part) =>
      part.shape.at(-1) === 2 ? part : expandTo(emit, part, [...part.shape.slice(0, -1), 2]),
    )
    .reduce((sum, part) => emit.op("Add", [sum, asAddend(emit, part)]));

/** Rows that were added to zeros (of a table that is tied to other weights) are added to the others. */
function sumWithScattered(emit: Emitter, parts: readonly Value[]): Value {
  const isScattered = (part: Value) => scattered(emit, part) !== null;
  const dense = parts.filter((part) => !isScattered(part));
  const [first] = dense;
  if (!first || dense.length === parts.length) return sumOf(emit, parts);
  return parts.filter(isScattered).reduce(
    (sum, part) => {
      const [, indices = null, updates = null] = scattered(emit, part)?.inputs ?? [];
      return emit.op("ScatterND", [sum, indices, updates], { reduction: "add" });
    },
    sumOf(emit, dense),
  );
}

function sumOf(emit: Emit, parts: readonly Value[]): Value {
  const [first, ...others] = parts as [Value, ...Value[]];
  if (others.length === 0) return first;
  return emit.op(others.length === 1 ? "Add" : "Sum", parts);
}

/** The node that adds rows to zeros; null: another makes the value. */
function scattered(emit: Emitter, value: Value): Node | null {
  const node = emit.makerOf(value);
  const [data] = node?.inputs ?? [];
  if (node?.op !== "ScatterND" || node.attrs["reduction"] !== "add" || !data) return null;
  const fill = emit.makerOf(data)?.attrs["value"];
  const isZero = typeof fill === "object" && "data" in fill && fill.data[0] === 0;
  return isZero && emit.makerOf(data)?.op === "ConstantOfShape" ? node : null;
}

/** Sums over the axes along which a value of shape `shape` was broadcast. */
export function sumTo(emit: Emit, gradient: Value, shape: readonly number[]): Value {
  if (sameShape(gradient.shape, shape)) return gradient;
  const extra = gradient.shape.length - shape.length;
  const axes = gradient.shape.flatMap((size, axis) => {
    const own = axis < extra ? 1 : (shape[axis - extra] as number);
    return own === 1 && size !== 1 ? [axis] : [];
  });
  if (axes.length === 0) return extra > 0 ? reshapeTo(emit, gradient, shape) : gradient;
  const half = isHalf(gradient.dtype);
  const wide = half ? emit.op("Cast", [gradient], { to: "float32" }) : gradient;
  const sum =
    sumOfRows(emit, wide, axes) ?? emit.op("ReduceSum", [wide, emit.ints(axes)], { keepdims: 1 });
  return reshapeTo(emit, half ? emit.op("Cast", [sum], { to: gradient.dtype }) : sum, shape);
}

/** More rows would need sums in several steps to keep their accuracy. */
const mostRows = 2 ** 12;

/**
 * The sum over `axes`, where these are all the leading ones: a product with ones runs through memory
 * once, where a reduction of leading axes jumps. null: not worth it.
 */
function sumOfRows(emit: Emit, x: Value, axes: readonly number[]): Value | null {
  const kept = Math.max(...axes) + 1;
  const isLeading = axes.length === x.shape.slice(0, kept).filter((size) => size !== 1).length;
  const [rows, size] = [numel(x.shape.slice(0, kept)), numel(x.shape.slice(kept))];
  if (!isLeading || !isFloat(x.dtype) || size <= 1 || rows > mostRows) return null;
  const ones = expandTo(emit, emit.scalar(1, x.dtype), [1, rows]);
  return emit.op("MatMul", [ones, reshapeTo(emit, x, [rows, size])]);
}
