/** Attention whose weights go through softmax once more. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { Structure } from "../stats/structure.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";
import { scoreSteps } from "./scoreSteps.ts";

export const softmaxTwice = ({ structure }: Evidence): Finding[] =>
  oncePerLine(
    structure.nodes.flatMap((node): Finding[] => {
      const { call } = node.origin;
      const [given] = node.inputs;
      if (node.op !== "Softmax" || !given || !call) return [];
      const first = softmaxBefore(given, structure);
      const size = sizeOf(node);
      if (!first || sizeOf(first) !== size || !mixes(node, structure)) return [];
      const { line } = first.origin.call?.site ?? call.site;
      return [
        {
          code: "attention/softmax-twice",
          severity: "error",
          message: `Softmax takes what softmax has made (line ${line}): its operands are between 0 and 1, so that no key of ${size} can get more than ${figure(Math.E / (Math.E + size - 1))} of the weight, and hidden keys get some`,
          ...callPlace(call),
          evidence: { "first softmax": line, keys: size },
        },
      ];
    }),
  );

const sizeOf = ({ inputs, attrs }: Node): number =>
  inputs[0]?.shape.at(Number(attrs["axis"] ?? -1)) ?? 1;

/** The softmax that all of a value comes from, past masks, scales and dropout. */
function softmaxBefore(value: Value, { producers, found }: Structure): Node | null {
  let at = value;
  for (let steps = 0; steps < 8; steps++) {
    const node = producers.makerOf(at);
    if (node?.op === "Softmax") return node;
    if (!node || !scoreSteps.has(node.op)) return null;
    const computed = node.inputs.filter(
      (input) => input?.role === "node" && !found.isWeight(input) && input.dtype !== "bool",
    );
    const [next] = computed;
    if (!next || computed.length > 1) return null;
    at = next;
  }
  return null;
}

/** Whether the weights meet values that are no parameters. */
function mixes({ outputs }: Node, { producers, found }: Structure): boolean {
  let [at] = outputs;
  for (let steps = 0; at && steps < 8; steps++) {
    const value = at;
    const readers = producers.readersOf(value);
    const product = readers.find(({ op }) => op === "MatMul");
    if (product) return product.inputs.every((input) => input && !found.isWeight(input));
    at = readers.find(({ op }) => scoreSteps.has(op))?.outputs[0];
  }
  return false;
}
