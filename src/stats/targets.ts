/** The only cross-entropy of a model's loss: its logits, and the classes that it is to give. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { idsMadeBy } from "./producers.ts";
import type { Structure } from "./structure.ts";

export interface CrossEntropy {
  readonly node: Node;
  readonly logits: Value;
  readonly classes: number;
}

/** null: none, or several. */
export function crossEntropyIn({ nodes }: Structure): CrossEntropy | null {
  const made = nodes.filter(
    ({ op, origin }) => op === "LogSoftmax" && origin.call?.op !== "log_softmax",
  );
  const [node] = made;
  const logits = node?.inputs[0];
  if (made.length !== 1 || !node || !logits) return null;
  const axis = Number(node.attrs["axis"] ?? -1);
  return { node, logits, classes: logits.shape.at(axis) ?? 1 };
}

/** The class numbers that the cross-entropy was given, one for each of its rows; null: none such. */
export function targetsOf(structure: Structure): Value | null {
  const entropy = crossEntropyIn(structure);
  const call = entropy?.node.origin.call;
  if (!entropy || !call) return null;
  const rows = numel(entropy.logits.shape) / entropy.classes;
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === call.id);
  const made = idsMadeBy(own);
  const given = own.flatMap(({ inputs }) => inputs);
  return (
    given.find(
      (value) =>
        value !== null &&
        value.dtype === "int64" &&
        !made.has(value.id) &&
        rows > 1 &&
        numel(value.shape) === rows,
    ) ?? null
  );
}
