/** Rounding on the only way from weights to the loss: its slope is 0 everywhere. */
import type { Node, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** PyTorch's names of functions that are constant but for steps. */
const steps = /^(round|floor|ceil|trunc|fix|sign|sgn)_?$/;

export function flatSteps({ program, structure }: Evidence): Finding[] {
  if (!program.backward) return [];
  const { nodes, producers } = structure;
  const flat = nodes.filter(isFlat);
  if (flat.length === 0) return [];
  const reached = reachedBackward(nodes, program.loss, () => false);
  const otherwise = reachedBackward(nodes, program.loss, isFlat);
  return oncePerLine(
    flat.flatMap(({ inputs: [input], outputs: [output], origin: { call } }): Finding[] => {
      if (!input || !output || !call || !reached.has(output.id)) return [];
      if (scaledFrom(input).some(({ id }) => otherwise.has(id))) return [];
      return [
        {
          code: "parameters/gradient-cut",
          severity: "warning",
          message: `${call.op} is flat but for its steps: the gradient behind it is 0, and no other way leads to what stands before it. x + (${call.op}(x) - x).detach() lets gradients through`,
          ...callPlace(call),
          evidence: { cut: call.op, numbers: input.shape.join(", ") },
        },
      ];
    }),
  );

  /** The value and what it is a multiple of, or that plus a constant. */
  function scaledFrom(value: Value): Value[] {
    const found = [value];
    for (let at = value; found.length < 6; ) {
      const node = producers.makers.get(at.id);
      const [own, ...others] = node?.inputs.filter((one) => one?.requiresGrad) ?? [];
      if (!node || !own || others.length > 0 || !scalings.has(node.op)) break;
      found.push(own);
      at = own;
    }
    return found;
  }
}

const scalings = new Set(["Mul", "Div", "Add", "Sub", "Clip", "Reshape", "Transpose", "Neg"]);

const isFlat = ({ inputs: [input], origin }: Node): boolean =>
  steps.test(origin.call?.op ?? "") && input?.requiresGrad === true && isFloat(input.dtype);

/** The ids of values from which a way with gradients leads to the loss, and not through `isClosed` nodes. */
function reachedBackward(
  nodes: readonly Node[],
  loss: Value,
  isClosed: (node: Node) => boolean,
): ReadonlySet<number> {
  const reached = new Set([loss.id]);
  for (const node of nodes.toReversed()) {
    const leads = node.outputs.some(({ id, requiresGrad }) => requiresGrad && reached.has(id));
    if (!leads || isClosed(node)) continue;
    const given = [...node.inputs, ...(node.origin.group?.inputs ?? [])];
    for (const value of given) if (value?.requiresGrad) reached.add(value.id);
  }
  return reached;
}
