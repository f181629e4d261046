/** Pictures that become tokens, or tokens that become pictures, by a reshape that moves no axis. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const reshapedImage = (evidence: Evidence): Finding[] =>
  oncePerLine(evidence.structure.nodes.flatMap((node) => ofReshape(evidence, node)));

function ofReshape(evidence: Evidence, node: Node): Finding[] {
  const { call } = node.origin;
  const [output] = node.outputs;
  if (!call || !output || !isReshape(node) || isReshapedAgain(evidence, output)) return [];
  const source = sourceOf(evidence, node);
  if (!source || areAligned(source.shape, output.shape)) return [];
  const [from, to] = [source.shape, output.shape].map((shape) => `[${shape.join(", ")}]`);
  const way =
    isPicture(evidence, source) && isRead(evidence, output, "tokens")
      ? "tokens"
      : isTokens(evidence, source) && isRead(evidence, output, "picture")
        ? "picture"
        : null;
  if (way === null) return [];
  return [
    {
      code: "model/reshaped-image",
      severity: "warning",
      message:
        way === "tokens"
          ? `A picture ${from} becomes tokens ${to} by a reshape alone: each token holds pieces of rows and channels that follow each other in memory, and no patch or place of the picture. A permutation must come first`
          : `Tokens ${from} become a picture ${to} by a reshape alone: numbers of one token are spread over rows and channels as they lie in memory. A permutation must come first`,
      ...callPlace(call),
      evidence: { from: from ?? "", to: to ?? "" },
    },
  ];
}

const views = new Set(["view", "reshape", "flatten", "unflatten", "view_as", "reshape_as"]);
const moves = new Set([...views, "transpose", "permute", "movedim", "einsum"]);
const isReshape = ({ op, origin: { call } }: Node): boolean =>
  op === "Reshape" && call !== null && views.has(call.op);

const isReshapedAgain = ({ structure: { producers } }: Evidence, value: Value): boolean =>
  producers.readersOf(value).some(({ origin: { call } }) => call !== null && moves.has(call.op));

/** What computes with a value, past the shapes that a product gives it for itself. */
const readersOf = ({ structure: { producers } }: Evidence, value: Value): Node[] =>
  producers
    .readersOf(value)
    .flatMap((node) =>
      node.op === "Reshape" || node.op === "Transpose"
        ? node.outputs.flatMap((output) => producers.readersOf(output))
        : node,
    );

/** What the numbers were before they only took other shapes. */
function sourceOf({ structure: { producers } }: Evidence, node: Node): Value | null {
  let value: Value | null | undefined = node.inputs[0];
  for (let steps = 0; value && steps < 8; steps++) {
    const maker = producers.makers.get(value.id);
    if (!maker || !(isReshape(maker) || ["Identity", "Cast"].includes(maker.op))) return value;
    value = maker.inputs[0];
  }
  return null;
}

/** Whether each axis of one is made of whole neighbouring axes of the other, or is a part of one. */
function areAligned(from: readonly number[], to: readonly number[]): boolean {
  const [fewer, more] = from.length < to.length ? [from, to] : [to, from];
  const ends = new Set(prefixes(more));
  return prefixes(fewer).every((end) => ends.has(end));
}

function prefixes(shape: readonly number[]): number[] {
  let product = 1;
  return shape.map((size) => {
    product *= size;
    return product;
  });
}

/** `[batch, channels, height, width]` that is an input, or what a convolution or an unfolding gives. */
function isPicture({ program, structure: { producers } }: Evidence, value: Value): boolean {
  const call = producers.makers.get(value.id)?.origin.call;
  if (!call)
    return value.shape.length === 4 && program.inputs.some((one) => one.value.id === value.id);
  return (
    (value.shape.length >= 3 && /^conv\dd$/.test(call.op)) ||
    (value.shape.length === 3 && call.op === "unfold")
  );
}

/** `[batch, places, width]` that a linear map or a norm gives. */
function isTokens({ structure: { producers } }: Evidence, value: Value): boolean {
  const call = producers.makers.get(value.id)?.origin.call;
  return value.shape.length === 3 && ["linear", "layer_norm", "rms_norm"].includes(call?.op ?? "");
}

function isRead(evidence: Evidence, value: Value, as: "tokens" | "picture"): boolean {
  const { program, structure } = evidence;
  const { found } = structure;
  const readers = readersOf(evidence, value);
  if (as === "tokens") {
    const width = value.shape.at(-1);
    return (
      value.shape.length === 3 &&
      readers.some(({ op, inputs }) => {
        const other = inputs.find((one) => one && one !== value && found.isWeight(one));
        if (op === "MatMul" || op === "Gemm") return inputs[1] && found.isWeight(inputs[1]);
        if (op === "LayerNormalization") return true;
        return op === "Add" && other?.shape.at(-1) === width;
      })
    );
  }
  const pictures = program.inputs.filter((one) => one.value.shape.length === 4);
  const isResult =
    readers.length === 0 || pictures.some((one) => one.value.shape.join() === value.shape.join());
  return (
    value.shape.length === 4 &&
    (readers.some(({ origin }) => origin.call?.op.startsWith("conv")) || isResult)
  );
}
