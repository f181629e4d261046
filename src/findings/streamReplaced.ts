/** Blocks with a residual path in which one part's result replaces the stream. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { comesThrough } from "../stats/linearPath.ts";
import { dependents } from "../stats/rerun.ts";
import { stackOf } from "../stats/stackOf.ts";
import { callPlace, type Evidence, linesText } from "./evidence.ts";
import { streamLost } from "./streamLost.ts";

interface Way {
  readonly path: string;
  readonly from: Value;
  readonly to: Value;
}

/** Told once: the layers of a stack share their lines. */
export function streamReplaced(evidence: Evidence): Finding[] {
  const { structure } = evidence;
  if (structure.attention.length === 0 || streamLost(evidence).length > 0) return [];
  const ways = waysOf(evidence);
  const cut = withoutExceptions(
    ways,
    ways.flatMap((way) => cutOf(evidence, way) ?? []),
  );
  const [first] = cut;
  if (!first) return [];
  const { path, call, part, added } = first;
  return [
    {
      code: "block/stream-replaced",
      severity: "warning",
      message: `What ${part} gives replaces the stream of ${path || "the model"} and is not added to it, though other parts of it are (${linesText(added)}): the stream ends here, and gradients must pass it`,
      ...callPlace(call),
      evidence: { block: path, blocks: new Set(cut.map((one) => one.path)).size, part },
    },
  ];
}

/**
 * Layers share their code, so that a mistake is in all of them. One alone was told to: a first layer
 * that has nothing to add to, since it gets positions alone, or one that makes a picture smaller.
 */
function withoutExceptions(ways: readonly Way[], cut: readonly Cut[]): Cut[] {
  const stackAt = (path: string): string => path.replace(/\.\d+$/, "");
  const pathsIn = (all: readonly { readonly path: string }[], stack: string): Set<string> =>
    new Set(all.map(({ path }) => path).filter((path) => stackAt(path) === stack));
  return cut.filter(({ path }) => {
    const stack = stackAt(path);
    return pathsIn(ways, stack).size === 1 || pathsIn(cut, stack).size > 1;
  });
}

/** From the beginning to the end of each block, and from one block of a stack to the next. */
function waysOf({ program, structure: { blocks, attention } }: Evidence): Way[] {
  const own = blocks.map(({ path, input, output }) => ({ path, from: input, to: output }));
  const between = blocks.slice(1).flatMap((block, at): Way[] => {
    const before = blocks[at];
    if (!before || stackOf(before) !== stackOf(block)) return [];
    return [{ path: block.path, from: before.output, to: block.input }];
  });
  // A block that was given as it is, and has no number.
  const isAlone = blocks.length === 0 && attention.length === 1;
  const modules = program.modules.filter(({ path }) =>
    path === ""
      ? isAlone
      : /(^|\.)\d+$/.test(path) && !blocks.some((one) => areNested(one.path, path)),
  );
  const others = modules.flatMap(({ path, calls }) =>
    calls
      .slice(0, 1)
      .flatMap(({ inputs: [input], outputs: [output] }): Way[] =>
        input && output ? [{ path, from: input.value, to: output.value }] : [],
      ),
  );
  return [...own, ...between, ...others].filter(({ from, to }) => sameShape(from.shape, to.shape));
}

const areNested = (block: string, path: string): boolean =>
  block.startsWith(`${path}.`) || path.startsWith(`${block}.`);

interface Cut {
  readonly path: string;
  readonly call: TorchCall;
  readonly part: string;
  /** Lines of the sums that show that the block is residual. */
  readonly added: readonly number[];
}

function cutOf({ structure, program }: Evidence, { path, from, to }: Way): Cut | null {
  const { nodes, found, attention } = structure;
  const within = between(nodes, from, to);
  const mixing = new Set(attention.map((one) => one.mixing).filter((one) => within.includes(one)));
  const goes = (through: boolean, past: ReadonlySet<Node>): boolean =>
    comesThrough(within, from, to, found, { mixing: past, throughActivations: through });
  if (from.id === to.id || mixing.size === 0 || goes(false, mixing)) return null;
  // The stream may be another argument than the first.
  const given = program.modules.find((one) => one.path === path)?.calls[0]?.inputs ?? [];
  const past = { mixing: new Set(attention.map((one) => one.mixing)), throughActivations: false };
  if (
    given.some(({ value }) => value.id !== from.id && comesThrough(nodes, value, to, found, past))
  )
    return null;
  const added = residualSums(within, from);
  if (added.length === 0) return null;
  const isOther = goes(true, mixing);
  // A stream that is asked with alone, as in attention to an encoder, goes through softmax.
  const attended = [...mixing].find((one) => goes(!isOther, without(mixing, one)));
  const start = attended ?? (isOther ? within.find(({ op }) => isActivation(op)) : undefined);
  const call = start && mapBehind(within, start, structure.found.isWeight);
  return call ? { path, call, part: attended ? "attention" : "this map", added } : null;
}

const without = <T>(all: ReadonlySet<T>, one: T): ReadonlySet<T> =>
  new Set([...all].filter((each) => each !== one));

const isActivation = (op: string): boolean =>
  /^(Relu|Gelu|Erf|Sigmoid|Tanh|Softplus|Clip)$/.test(op);

/** What depends on one value and leads to the other. */
const between = (nodes: readonly Node[], from: Value, to: Value): readonly Node[] =>
  prune({ inputs: [from], nodes: dependents(nodes, from), outputs: [to] }).nodes;

/** Lines of sums of a value and of what was computed of it. */
function residualSums(nodes: readonly Node[], { shape }: Value): number[] {
  return nodes.flatMap((node): number[] => {
    const { op, inputs, outputs, origin } = node;
    const [a, b] = inputs;
    const [out] = outputs;
    if (op !== "Add" || !a || !b || !out || !origin.call) return [];
    if (![a, b, out].every((value) => sameShape(value.shape, shape))) return [];
    const isOf = (branch: Value, skip: Value): boolean =>
      dependents(nodes, skip).some(({ outputs }) => outputs.includes(branch));
    return isOf(b, a) || isOf(a, b) ? [origin.call.site.line] : [];
  });
}

/** The linear map that takes what a node gives. */
function mapBehind(
  nodes: readonly Node[],
  start: Node,
  isWeight: (value: Value) => boolean,
): TorchCall | null {
  const [out] = start.outputs;
  if (!out) return null;
  const map = dependents(nodes, out).find(
    ({ op, inputs }) =>
      (op === "MatMul" || op === "Gemm") && inputs.some((value) => value && isWeight(value)),
  );
  return (map ?? start).origin.call;
}
