/** The torch call that a node came from, as PyTorch's own exporters write it down. */
import type { NodeProto } from "onnx-buf";
import type { Site, TorchCall } from "./graph.ts";
import type { Metadata } from "./onnxProto.ts";

/**
 * null: the file does not say. The exporter of torch.export writes a stack trace and module paths as
 * metadata; the one of TorchScript writes frames into the doc string, and module paths as names.
 */
export function callOfPyTorch(
  node: NodeProto,
  metadata: Metadata,
  calls: Map<string, TorchCall>,
): TorchCall | null {
  const scopes = listed(metadata["pkg.torch.onnx.name_scopes"] ?? "");
  const trace = metadata["pkg.torch.onnx.stack_trace"];
  if (trace !== undefined && scopes.length > 0) {
    const name = listed(metadata["pkg.torch.onnx.class_hierarchy"] ?? "").at(-1) ?? "";
    const op = /^aten\.(\w+)/.exec(name)?.[1] ?? node.opType;
    // One call of the source may be several nodes.
    return made(calls, scopes.join("/"), op, scopes.at(-2) ?? null, framesOfTrace(trace));
  }
  const path = node.name.split("/").slice(1, -1).join(".");
  const frames = framesOfDocString(node.docString);
  return frames.length === 0 ? null : made(calls, `/${node.name}`, node.opType, path, frames);
}

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

function made(
  calls: Map<string, TorchCall>,
  key: string,
  op: string,
  module: string | null,
  frames: readonly Frame[],
): TorchCall {
  const known = calls.get(key);
  if (known) return known;
  const frame = frames.find(({ file }) => !isLibrary(file)) ?? frames[0];
  const line = frame?.line ?? 1;
  const site: Site = {
    file: frame?.file ?? "",
    line,
    column: 0,
    endLine: line,
    endColumn: 0,
    function: frame?.function ?? "",
  };
  const call = { id: calls.size, op, site, module, moduleCall: 0 };
  calls.set(key, call);
  return call;
}

const isLibrary = (file: string): boolean => /[\\/](?:site|dist)-packages[\\/]/.test(file);

/** Innermost first, as Python's traceback does not have them. */
const framesOfTrace = (text: string): Frame[] =>
  [...text.matchAll(/File "([^"]+)", line (\d+), in (\S+)/g)]
    .map(([, file = "", line, name = ""]) => ({ file, line: Number(line), function: name }))
    .reverse();

const framesOfDocString = (text: string): Frame[] =>
  [...text.matchAll(/^(.+)\((\d+)\): (\S+)$/gm)].map(([, file = "", line, name = ""]) => ({
    file,
    line: Number(line),
    function: name,
  }));

const listed = (text: string): string[] =>
  [...text.matchAll(/'((?:[^\\']|\\.)*)'/g)].map((item) => item[1] ?? "");
