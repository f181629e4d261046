/** torch.autograd.grad and backward() in the middle of a step: a walk backwards whose nodes are a part of the program. */
import { restingOn, walkBack } from "../autodiff/addGradients.ts";
import { torchError } from "../errors.ts";
import type { Node, Value } from "../graph/graph.ts";
import { numel, sameShape } from "../graph/tensor.ts";
import { noOrigin } from "../ops/emitter.ts";
import { expandTo } from "../ops/write.ts";
import { writtenAs } from "./passThrough.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";

export interface WithinOptions {
  /** The gradients can be differentiated. */
  readonly createsGraph: boolean;
  /** What calls have saved is there for another walk. */
  readonly retainsGraph: boolean;
}

/** Gradients of `outputs` (`given`: those that they begin with) by each of `inputs`; null: not reached. */
export function gradientsWithin(
  session: Session,
  outputs: readonly Tensor[],
  given: readonly (Tensor | null)[],
  inputs: readonly Tensor[],
  options: WithinOptions,
): (Tensor | null)[] {
  const { store, emit } = session;
  inputs.forEach((input) => {
    if (!store.requiresGrad(input))
      throw torchError("RuntimeError", "One of the differentiated Tensors does not require grad");
  });
  const wanted = inputs.map((input) => leafValue(session, input) ?? store.read(input));
  const within = restingOn(emit.nodes, wanted);
  return walked(session, outputs, given, within, options, (gradientOf) =>
    inputs.map((input, i) => tensorOf(session, gradientOf(wanted[i] as Value), input)),
  );
}

/** Gradients of `outputs` by every leaf that they rest on, each with its leaf. */
export function gradientsOfLeaves(
  session: Session,
  outputs: readonly Tensor[],
  given: readonly (Tensor | null)[],
  options: WithinOptions,
): { leaf: Tensor; gradient: Tensor }[] {
  const { store } = session;
  session.callsBackward = true;
  return walked(session, outputs, given, null, options, (gradientOf) =>
    [...store.all()].flatMap((leaf) => {
      const value = leafValue(session, leaf);
      if (value === null) return [];
      const gradient = tensorOf(session, gradientOf(value), leaf);
      return gradient === null ? [] : [{ leaf, gradient }];
    }),
  );
}

/** Of each of `results`: whether it rests on a leaf that is none of `own`. */
export function restOnOthers(
  session: Session,
  results: readonly Tensor[],
  own: readonly Tensor[],
): boolean[] {
  const { store, emit } = session;
  const others = [...store.all()].filter((leaf) => !own.includes(leaf));
  const values = others.flatMap((leaf) => leafValue(session, leaf) ?? []);
  const resting = restingOn(emit.nodes, values, ({ requiresGrad }) => requiresGrad);
  return results.map((result) => resting.has(store.read(result).id));
}

/** What all gradients of a leaf arrive at, however it was edited or turned since; null: it is none, or unused. */
export const leafValue = (
  { leaves, entered }: Session,
  { id, leafRequiresGrad }: Tensor,
): Value | null => (leafRequiresGrad ? (leaves.get(id) ?? entered.get(id) ?? null) : null);

const tensorOf = ({ store }: Session, value: Value | null, like: Tensor): Tensor | null =>
  value === null ? null : store.fromValue(value, like.isComplex);

function walked<T>(
  session: Session,
  outputs: readonly Tensor[],
  given: readonly (Tensor | null)[],
  within: ReadonlySet<number> | null,
  { createsGraph, retainsGraph }: WithinOptions,
  collect: (gradientOf: (value: Value) => Value | null) => T,
): T {
  const { store, emit, freed, saved } = session;
  outputs.forEach((output, i) => {
    if (!store.requiresGrad(output)) throw withoutGradient(i);
  });
  const outer = session.createsGraph;
  const { direction } = session.walk ?? noOrigin;
  const passed = new Set<object>();
  const onCall = (node: Node) => {
    session.walkHooks.onCall?.(node);
    const { dispatch } = node.origin;
    if (dispatch && saved.has(dispatch)) passed.add(dispatch);
  };
  // In the step these are nodes of the call that asks for them, as any other call's.
  const own = { direction, call: session.running, group: null, dispatch: {} };
  session.createsGraph = createsGraph;
  try {
    return writtenAs(emit, own, createsGraph, () => {
      const starts = outputs.map((output, i) => start(session, output, given[i] ?? null));
      const hooks = { ...session.walkHooks, onCall };
      const options = { within, originOf: () => own };
      const { finish, received } = walkBack(emit.nodes, starts, emit, hooks, options);
      const collected = collect(finish);
      for (const [id, gradient] of received) session.seenWithin.set(id, gradient);
      return collected;
    });
  } finally {
    if (!retainsGraph) for (const dispatch of passed) freed.add(dispatch);
    session.createsGraph = outer;
  }
}

function start(session: Session, output: Tensor, given: Tensor | null): readonly [Value, Value] {
  const { store, emit } = session;
  const value = store.read(output);
  if (given === null) {
    if (numel(output.shape) !== 1)
      throw torchError("RuntimeError", "grad can be implicitly created only for scalar outputs");
    return [value, expandTo(emit, emit.scalar(1, value.dtype), value.shape)];
  }
  if (!sameShape(given.shape, output.shape)) throw otherShape(given, output);
  const gradient = store.read(given);
  return [
    value,
    gradient.dtype === value.dtype ? gradient : emit.op("Cast", [gradient], { to: value.dtype }),
  ];
}

const withoutGradient = (index: number) =>
  torchError(
    "RuntimeError",
    `element ${index} of tensors does not require grad and does not have a grad_fn`,
  );

const otherShape = (given: Tensor, output: Tensor) =>
  torchError(
    "RuntimeError",
    `Mismatch in shape: grad_output[0] has a shape of torch.Size([${given.shape.join(", ")}]) and output[0] has a shape of torch.Size([${output.shape.join(", ")}]).`,
  );
