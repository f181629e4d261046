/** What Python has a say in while gradients are computed: its hooks, and what it left in `.grad`. */
import { type GradientHooks, reachedFrom } from "../autodiff/addGradients.ts";
import { detachedAfterSave, editedAfterSave, walkedTwice } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { duringWalk, type RunBackward } from "./customFunction.ts";
import { gradientName } from "./gradientNames.ts";
import { typeOf } from "./promotion.ts";
import type { PythonInstance } from "./python/boot.ts";
import { resultOf } from "./pythonErrors.ts";
import { hasHistory } from "./savedTensors.ts";
import type { Session } from "./session.ts";
import type { Tensor } from "./tensor.ts";
import type { Script } from "./traceScript.ts";
import { landedShape } from "./turnedLeaves.ts";

/** Python's gradient hooks and PyTorch's checks of what it saved, for a walk backwards. */
export function hooksOf(session: Session, python: PythonInstance, script: Script): GradientHooks {
  const { store, saved, freed, hooks } = session;
  return {
    onStart(ends) {
      session.walks.count++;
      session.walks.ends = ends;
    },
    onGradient(value, gradient) {
      const turned = store.turnedLeaves.get(value.id);
      if (turned) landedShape(value.shape, turned);
      const numbers = hooks.get(value.id);
      if (numbers === undefined) return gradient;
      const passed: Value[] = [];
      session.hooked.set(value.id, passed);
      return numbers.reduce((current, number) => {
        const tensor = store.fromValue(current, false);
        const id = duringWalk(session, () => {
          const result = python.call("torch._hooks", "run_hook", number, tensor.id);
          return resultOf(result, script) as number;
        });
        passed.push(store.read(store.tensorOf(id)));
        return passed.at(-1) as Value;
      }, gradient);
    },
    isComplex: store.isComplexValue,
    onCall(node) {
      const { dispatch } = node.origin;
      if (dispatch && freed.has(dispatch)) throw walkedTwice(node.origin.call?.site ?? null);
      const tensors = dispatch && saved.get(dispatch);
      if (tensors === undefined) return;
      const place = node.origin.call?.site ?? null;
      for (const { tensor, count, hasHistory: hadHistory } of tensors.tensors) {
        if (hadHistory && !hasHistory(store, tensor)) throw detachedAfterSave(tensors.op, place);
        if (tensor.version.count !== count)
          throw editedAfterSave(
            {
              ...asSaved(tensor, tensors.op),
              madeBy: makerOf(session, tensor, tensors.op, hadHistory),
            },
            tensors.op,
            { found: tensor.version.count, expected: count },
            place,
          );
      }
    },
  };
}

/** Of a linear layer PyTorch saves views: the rows of its input, and the transpose of its weight. */
function asSaved(tensor: Tensor, op: string): { dtype: string; shape: readonly number[] } {
  const { shape } = tensor;
  const dtype = typeOf(tensor);
  if (!isSavedAsView(tensor, op)) return { dtype, shape };
  const width = shape.at(-1) as number;
  return { dtype, shape: shape.length === 2 ? shape.toReversed() : [numel(shape) / width, width] };
}

const isSavedAsView = ({ shape, leafRequiresGrad }: Tensor, op: string): boolean =>
  op === "linear" && (shape.length > 2 || (shape.length === 2 && leafRequiresGrad));

/** The node that made what was saved: of a result the call's own, of an argument that of its last edit. */
function makerOf(
  { store, emit }: Session,
  tensor: Tensor,
  op: string,
  hadHistory: boolean | undefined,
): string | null {
  if (hadHistory === undefined) return gradientName(op);
  if (!store.requiresGrad(tensor)) return null;
  if (tensor.parent !== null || tensor.hasHiddenBase || isSavedAsView(tensor, op))
    return "AsStrided";
  if (tensor.leafRequiresGrad) return null;
  const call = emit.makerOf(store.read(tensor))?.origin.call;
  return call ? gradientName(call.op) : null;
}

/** How many of the hooks with these numbers are on values that the last walk comes to. */
export function hooksReached({ emit, hooks, walks }: Session, numbers: readonly number[]): number {
  const reached = reachedFrom(emit.nodes, walks.ends);
  const given = [...hooks].flatMap(([id, own]) => (reached.has(id) ? own : []));
  return numbers.filter((number) => given.includes(number)).length;
}

/** What runs the backward of a torch.autograd.Function. */
export const backwardIn =
  (session: Session, python: PythonInstance, script: Script): RunBackward =>
  (number, ids) => {
    const { createsGraph } = session;
    const rule = "torch.autograd.function";
    const result = python.call(rule, "run_backward", number, ids.join(","), createsGraph);
    return (resultOf(result, script) as string).split(",").map(Number);
  };

/** By value id, what backward() within the step has left in parameters. */
export function accumulatedIn(
  session: Session,
  python: PythonInstance,
  script: Script,
): ReadonlyMap<number, Value> {
  if (!session.callsBackward) return new Map();
  const rows = resultOf(python.call("torch._run", "accumulated"), script) as string;
  const { store, entered, leaves } = session;
  const found = new Map<number, Value>();
  for (const row of rows === "" ? [] : rows.split(",")) {
    const [leaf, gradient] = row.split(":").map(Number) as [number, number];
    const value = leaves.get(leaf) ?? entered.get(leaf);
    if (value) found.set(value.id, store.read(store.tensorOf(gradient)));
  }
  return found;
}
