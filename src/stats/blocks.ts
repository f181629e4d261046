/** The residual blocks of a traced model: where their norms are, what each branch adds, what gradients do. */
import type { Node, Value } from "../graph/graph.ts";
import { isFloat, sameShape } from "../graph/tensor.ts";
import type { BlockLine, BlockReport } from "../protocol/report.ts";
import type { TracedModule, TracedModuleCall, TracedProgram } from "../trace/program.ts";
import type { StatsOf } from "./collect.ts";
import { looseBlocks } from "./looseBlocks.ts";
import { fromNum, toNum } from "./moments.ts";
import type { Normalised } from "./normalised.ts";
import { placementOf } from "./placement.ts";
import { rowAxes, widened } from "./reduce.ts";
import { followStream, type ResidualAdd, type ResidualPath } from "./residual.ts";
import type { StreamEnd } from "./streamEnd.ts";
import type { Probe } from "./weave.ts";

/** One call of a block. */
export interface Block {
  readonly path: string;
  readonly input: Value;
  readonly output: Value;
  readonly residual: ResidualPath;
  readonly branches: readonly Branch[];
  /** What it consists of, in execution order. */
  readonly nodes: readonly Node[];
}

export interface Branch extends ResidualAdd {
  /** The block's child in which the branch's last matrix product is, or the block itself. */
  readonly path: string;
  /** skip · branch. */
  readonly product: Probe<number>;
}

/**
 * Blocks are modules with a residual path from input to output: those that a container numbers
 * (`blocks.0`), or one that is called several times on its own output, or the model itself. Within a
 * block there are no blocks. Outside of them the stream is followed through all nodes, and what is
 * added to it by one numbered part is a block. `forward` in execution order.
 */
export function findBlocks(
  program: TracedProgram,
  forward: readonly Node[],
  found: Normalised,
): Block[] {
  const nodesOfCall = groupByCall(forward);

  const blocksOf = (module: TracedModule): Block[] =>
    module.calls.flatMap((call) => {
      const ends = endsOf(call);
      if (ends === null) return [];
      const nodes = nodesWithin(nodesOfCall, call);
      const residual = followStream(nodes, ends.input, ends.output, found);
      if (residual.adds.length === 0) return [];
      const branches = residual.adds.map((add) => branchOf(add, module.path, nodes));
      return [{ path: module.path, ...ends, residual, branches, nodes }];
    });

  const candidates = program.modules
    .filter(({ path }) => /(^|\.)\d+$/.test(path))
    .map((module) => ({ module, blocks: blocksOf(module) }));
  const numbered = outermost(candidates).map((it) => withInnerPath(it, candidates));
  if (numbered.length > 0) return inCallOrder(forward, numbered, looseBeside(numbered));
  const reused = program.modules.filter(({ path, calls }) => path !== "" && calls.length > 1);
  const repeated = outermost(reused.map((module) => ({ module, blocks: blocksOf(module) })));
  if (repeated.length > 0) return inCallOrder(forward, repeated);
  const loose = looseBeside([]);
  if (loose.length > 0) return loose;
  return program.modules.filter(({ path }) => path === "").flatMap(blocksOf);

  function looseBeside(others: readonly Candidate[]): Block[] {
    const isTaken = (path: string) =>
      others.some(
        ({ module }) => isSameOrWithin(path, module.path) || isSameOrWithin(module.path, path),
      );
    const called = new Set(
      program.modules.filter(({ calls }) => calls.length > 0).map(({ path }) => path),
    );
    const isCalled = (path: string) => called.has(path);
    const blocks = looseBlocks(forward, found, isCalled, isTaken).map(
      ({ path, nodes, input, output }) => {
        const residual = followStream(nodes, input, output, found);
        const branches = residual.adds.map((add) => branchOf(add, path, nodes));
        return { path, input, output, residual, branches, nodes };
      },
    );
    return blocks.some(({ residual }) => residual.adds.length > 0) ? blocks : [];
  }
}

interface Candidate {
  readonly module: TracedModule;
  readonly blocks: readonly Block[];
}

function outermost(candidates: readonly Candidate[]): Candidate[] {
  const residual = candidates.filter(({ blocks }) => blocks.length > 0);
  const whole = residual.filter((candidate) => !isStage(candidate, residual));
  return whole.filter(({ module }) => !whole.some((other) => isWithin(module, other.module)));
}

/**
 * A block can go on after its residual part, as ConvMixer's does: how that part leaves it is then
 * said by the one module in it that has all its additions.
 */
function withInnerPath(outer: Candidate, all: readonly Candidate[]): Candidate {
  const inner = all.filter(
    ({ module, blocks }) => blocks.length > 0 && isWithin(module, outer.module),
  );
  const [only] = inner;
  if (only === undefined || inner.length > 1) return outer;
  const blocks = outer.blocks.map((block, at): Block => {
    const path = only.blocks[at]?.residual;
    const isSame = path?.adds.length === block.residual.adds.length && path.end !== "other";
    return block.residual.end === "other" && isSame ? { ...block, residual: path } : block;
  });
  return { module: outer.module, blocks };
}

const isWithin = (inner: TracedModule, outer: TracedModule): boolean =>
  inner.path.startsWith(`${outer.path}.`);

const isSameOrWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(`${outer}.`);

/**
 * A stage of a pyramid runs blocks and adds nothing itself. So does a block of two sublayers, but
 * those add once each, and not by the same operations.
 */
function isStage({ module, blocks }: Candidate, all: readonly Candidate[]): boolean {
  const inner = all.filter((it) => isWithin(it.module, module));
  const children = inner.filter((it) => !inner.some((other) => isWithin(it.module, other.module)));
  const addsOf = (it: Candidate) =>
    it.blocks.reduce((sum, { residual }) => sum + residual.adds.length, 0);
  const ops = children.map((it) => it.blocks[0]?.nodes.map(({ op }) => op).join(" "));
  const addsOfChildren = children.map(addsOf);
  return (
    children.length > 1 &&
    addsOfChildren.reduce((sum, adds) => sum + adds, 0) === addsOf({ module, blocks }) &&
    (addsOfChildren.every((adds) => adds > 1) || ops.every((one) => one === ops[0]))
  );
}

/** The calls of a module stay together, where its first one is. */
function inCallOrder(
  forward: readonly Node[],
  candidates: readonly Candidate[],
  loose: readonly Block[] = [],
): Block[] {
  const at = new Map(forward.map((node, index) => [node, index]));
  const startOf = ([first]: readonly Block[]) => (first?.nodes[0] && at.get(first.nodes[0])) ?? 0;
  return [...candidates.map(({ blocks }) => blocks), ...loose.map((block) => [block])]
    .toSorted((a, b) => startOf(a) - startOf(b))
    .flat();
}

/** A block takes the stream first and gives it first, in the same shape. */
function endsOf({ inputs, outputs }: TracedModuleCall): Pick<Block, "input" | "output"> | null {
  const [input, output] = [inputs[0]?.value, outputs[0]?.value];
  if (!input || !output || !isFloat(input.dtype)) return null;
  return sameShape(input.shape, output.shape) ? { input, output } : null;
}

function groupByCall(nodes: readonly Node[]): Map<number, Node[]> {
  const groups = new Map<number, Node[]>();
  for (const node of nodes) {
    const id = node.origin.call?.id;
    if (id === undefined) continue;
    const group = groups.get(id);
    if (group) group.push(node);
    else groups.set(id, [node]);
  }
  return groups;
}

function nodesWithin(nodesOfCall: Map<number, Node[]>, call: TracedModuleCall): Node[] {
  const nodes: Node[] = [];
  for (let id = call.firstCall; id < call.endCall; id++) nodes.push(...(nodesOfCall.get(id) ?? []));
  return nodes;
}

const products = new Set(["MatMul", "Gemm", "Conv", "Einsum"]);

function branchOf(add: ResidualAdd, block: string, nodes: readonly Node[]): Branch {
  const producers = new Map(nodes.flatMap((node) => node.outputs.map(({ id }) => [id, node])));
  let last: Node | undefined;
  const open = [add.branch];
  const seen = new Set<number>();
  for (let value = open.shift(); value; value = open.shift()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    const node = producers.get(value.id);
    last ??= node;
    if (!node) continue;
    if (products.has(node.op)) {
      last = node;
      break;
    }
    open.push(...node.inputs.filter((input) => input !== null));
  }
  const path = childOf(last?.origin.call?.module ?? null, block);
  return { ...add, path, product: productOf(add) };
}

/** "blocks.0.attn" of "blocks.0.attn.proj" in "blocks.0". */
function childOf(path: string | null, block: string): string {
  const prefix = block === "" ? "" : `${block}.`;
  if (path === null || path === block || !path.startsWith(prefix)) return block;
  const [child] = path.slice(prefix.length).split(".");
  return `${prefix}${child}`;
}

const productOf = ({ skip, branch }: ResidualAdd): Probe<number> => ({
  needs: [skip, branch],
  write(emit) {
    const product = emit.op("Mul", [widened(emit, skip), widened(emit, branch)]);
    const axes = rowAxes(emit, product.shape, 2 ** 20);
    return [emit.op("ReduceSum", [product, axes], { keepdims: 0 })];
  },
  read([sums]) {
    let sum = 0;
    for (let row = 0; row < (sums?.length ?? 0); row++) sum += sums?.[row] ?? 0;
    return sum;
  },
});

/** What a report on the block needs measured. */
export const wantedOfBlock = (
  { input, output, branches }: Block,
  gradientOf: (value: Value) => Value | null,
): Value[] => {
  const ends = [input, output];
  const gradients = ends.map(gradientOf).filter((value) => value !== null);
  return [...ends, ...gradients, ...branches.flatMap(({ skip, branch }) => [skip, branch])];
};

/** What a report on the block tells of its structure. */
export interface BlockStructure {
  readonly norms: readonly string[];
  readonly normLines: readonly { readonly file: string; readonly line: number }[];
  readonly end: StreamEnd | null;
}

export function blockReport(
  block: Block,
  { norms, normLines, end }: BlockStructure,
  products: readonly (number | null)[],
  statsOf: StatsOf,
  gradientOf: (value: Value) => Value | null,
): BlockReport {
  const rms = (value: Value): number => fromNum(statsOf({ value })?.rms ?? "NaN");
  const l2 = (value: Value): number => fromNum(statsOf({ value })?.l2 ?? "NaN");
  const [before, after] = [gradientOf(block.input), gradientOf(block.output)];
  return {
    path: block.path,
    placement: placementOf(block.residual, norms.length > 0),
    streamRms: toNum(rms(block.output)),
    branches: block.branches.map(({ path, skip, branch }, at) => ({
      path,
      ratio: toNum(rms(branch) / rms(skip)),
      cosine: toNum((products[at] ?? Number.NaN) / (l2(branch) * l2(skip))),
    })),
    ...(after && { outputGradient: toNum(rms(after)) }),
    backwardGain: before && after ? toNum(l2(before) / l2(after)) : null,
    norms,
    parallel: block.residual.isParallel,
    lines: linesOf(block, normLines),
    ...(end === null ? {} : { end }),
  };
}

/** Each place once, in the order of the text. */
function linesOf(block: Block, norms: BlockStructure["normLines"]): BlockLine[] {
  const lines = new Map<string, BlockLine>();
  const note = ({ file, line }: { file: string; line: number }, what: BlockLine["what"]) =>
    lines.set(`${file}:${line}:${what}`, { file, line, what });
  for (const place of norms) note(place, "norm");
  for (const { site } of block.residual.adds) if (site) note(site, "add");
  return [...lines.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}
