/** What ONNX Runtime throws (a text) → the error that a user can read, at the line of the torch call. */
import {
  indexBeyond,
  indexOutOfRange,
  type NormscopeError,
  noKernel,
  numbersRefused,
  outOfMemory,
  runtimeFailed,
} from "../errors.ts";
import type { NodeSource } from "../graph/encode.ts";
import { indexBefore } from "../graph/negativeIndex.ts";

/** Names of nodes are their indices in `sources`. */
export function readOrtError(
  error: unknown,
  sources: readonly (NodeSource | null)[],
  provider: string,
): NormscopeError {
  const text = error instanceof Error ? error.message : String(error);
  const { op, node, reason } = splitMessage(text);
  const source = node === null ? null : (sources[node] ?? null);
  if (op !== null && text.startsWith("Could not find an implementation"))
    return noKernel(op, source, provider);
  const index = /idx=(-?\d+) must be within the inclusive range \[(-?\d+),(-?\d+)\]/.exec(text);
  if (index) {
    const [, given = 0, least = 0, most = 0] = index.map(Number);
    const got = indexBefore(given);
    if (source?.refusal?.isOfNumbers) return numbersRefused(source.refusal, source);
    const range = { least: got === given ? least : 0, below: most + 1 };
    return indexOutOfRange(op, source, got, range);
  }
  if (/Out of range value in index tensor/i.test(text)) return indexBeyond(op, source);
  const memory = /allocate memory for requested buffer of size (\d+)/.exec(text);
  if (memory) return outOfMemory(op, source, Number(memory[1]));
  if (/bad_?alloc|out of memory/i.test(text)) return outOfMemory(op, source, null);
  return runtimeFailed(op, source, reason);
}

/** The forms in which ONNX Runtime names a node, when running, loading and checking. */
const forms: readonly RegExp[] = [
  /^Non-zero status code returned while running (?<op>\w+) node\. Name:'(?<node>\d+)' Status Message: (?<reason>.*)$/s,
  /^Could not find an implementation for (?<op>\w+)\(\d+\) node with name '(?<node>\d+)'/,
  /^Node \((?<node>\d+)\) Op \((?<op>\w+)\) (?<reason>.*)$/s,
  /In Node, \("(?<node>\d+)", (?<op>\w+), .*?, Error (?<reason>.*)$/s,
];

function splitMessage(text: string): { op: string | null; node: number | null; reason: string } {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const inner = splitMessage(groups["reason"] ?? "");
    // A loop failed by a node of its body: that one is what failed.
    if (inner.node !== null) return inner;
    return {
      op: groups["op"] ?? null,
      node: Number(groups["node"]),
      reason: withoutSourcePosition(groups["reason"] ?? text),
    };
  }
  return { op: null, node: null, reason: withoutSourcePosition(text) };
}

/** "/onnxruntime_src/…/reshape_helper.h:91 onnxruntime::ReshapeHelper(…) " says nothing to a user. */
const withoutSourcePosition = (reason: string): string =>
  reason.replace(/^\/onnxruntime_src\/\S+:\d+ .*?\) (?=\S)/, "").trim();
