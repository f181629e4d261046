/** What must be true of a model file before it is read: refused with what is wrong, and where. */
import type { GraphProto, ModelProto, NodeProto } from "onnx-buf";
import { notOnnx, onnxUnsupported } from "../errors.ts";
import { opset as newest } from "./onnxProto.ts";

/** Before it, Softmax and its kin flatten their input, and Squeeze has other arguments. */
const oldest = 13;

export function checkModel({ opsetImport, graph }: ModelProto): GraphProto {
  if (graph === undefined) throw notOnnx("it has no graph");
  const version = Number(opsetImport.find(({ domain }) => isOnnx(domain))?.version ?? 1);
  if (version < oldest || version > newest)
    throw onnxUnsupported(
      `it is written for opset ${version}; opsets ${oldest} to ${newest} can be read`,
    );
  if (graph.output.length === 0) throw onnxUnsupported("its graph has no outputs");
  checkNames(graph);
  return graph;
}

export const isOnnx = (domain: string): boolean => domain === "" || domain === "ai.onnx";

/** "the node 'fc' (MatMul)": nodes need no name. */
export const nodeText = ({ name, opType, output }: NodeProto): string =>
  name === "" ? `the node of '${output[0] ?? ""}' (${opType})` : `the node '${name}' (${opType})`;

/** Every value is made once, and before it is used. */
function checkNames({ initializer, input, node }: GraphProto): void {
  const makers = new Map<string, string>();
  const define = (name: string, maker: string) => {
    const other = makers.get(name);
    if (other !== undefined)
      throw onnxUnsupported(`'${name}' is made twice: by ${other} and by ${maker}`);
    makers.set(name, maker);
  };
  for (const { name } of initializer) define(name, "an initializer");
  // An initializer may be listed among the inputs too.
  const inputs = input.filter(({ name }) => makers.get(name) !== "an initializer");
  for (const { name } of inputs) define(name, "an input");
  const later = new Map(
    node.flatMap((one) => one.output.map((name) => [name, nodeText(one)] as const)),
  );
  for (const one of node) {
    for (const name of one.input) {
      const maker = later.get(name);
      if (name !== "" && !makers.has(name) && maker !== undefined)
        throw onnxUnsupported(
          `${nodeText(one)} uses '${name}' of ${maker}, which runs after it: the nodes form a circle, or are out of order`,
        );
    }
    for (const name of one.output) if (name !== "") define(name, nodeText(one));
  }
}
