/** Numbers that Python asks for while it is traced: each part of the graph is computed once. */
import { invariant } from "../errors.ts";
import type { Graph, Node, Value } from "../graph/graph.ts";
import { type HostArray, isFloat, isHeldExactly, type Numbers, numel } from "../graph/tensor.ts";
import { evaluateNode } from "../ops/evaluateNode.ts";
import type { Session } from "../trace/session.ts";
import type { Store } from "../trace/store.ts";
import { runJob } from "../weights/jobs.ts";

/** Runs a graph; its outputs' numbers by value id. */
export type Compute = (graph: Graph) => ReadonlyMap<number, HostArray>;

/**
 * A model that routes tokens looks at a number in every layer. What has been computed is an input of
 * later evaluations, and so is what tensors that are still alive hold: the stream that the next layer
 * reads. Twelve layers then cost twelve layers, not 1 + 2 + … + 12.
 */
export function createEvaluator(compute: Compute): (value: Value, session: Session) => Numbers {
  const known = new Map<number, HostArray>();
  const makers = createMakers();

  return function evaluate(value, session) {
    const done = known.get(value.id);
    if (done) return done.data;
    const makerOf = makers.of(session.emit.nodes);
    const cut = cutAt(value, makerOf, known);
    const alive = heldBy(session.store);
    const results = onHost(cut, known) ?? onRuntime(cut, value, alive, session);
    for (const id of known.keys()) if (!alive.has(id) && !isSmall(known.get(id))) known.delete(id);
    for (const [id, array] of results) if (isHeldExactly(array)) known.set(id, array);
    const array = results.get(value.id);
    invariant(array, "the value was computed");
    return array.data;
  };

  function onRuntime(
    cut: Cut,
    value: Value,
    alive: ReadonlySet<number>,
    session: Session,
  ): ReadonlyMap<number, HostArray> {
    // Of a node with several results one may be known while another is needed.
    const made = new Set(cut.nodes.flatMap((node) => node.outputs.map(({ id }) => id)));
    const fed = new Map<number, Value>();
    const feed = (used: Value | null): Value | null => {
      const array = used && !made.has(used.id) && known.get(used.id);
      if (!used || !array) return used;
      const input = fed.get(used.id) ?? { ...used, role: "input" as const, data: array.data };
      fed.set(used.id, input);
      return input;
    };
    const nodes = cut.nodes.map((node) => ({ ...node, inputs: node.inputs.map(feed) }));
    const kept = cut.nodes
      .flatMap((node) => node.outputs)
      .filter((made) => made.id !== value.id && alive.has(made.id));
    fillNow(session.store, cut.used);
    return compute({
      inputs: [...cut.used.filter((used) => used.role !== "constant"), ...fed.values()],
      nodes,
      outputs: [value, ...kept],
    });
  }
}

interface Cut {
  /** In execution order. */
  readonly nodes: readonly Node[];
  /** Parameters, inputs and constants that they use. */
  readonly used: readonly Value[];
}

/** What makes `value` from values that are known. */
function cutAt(
  value: Value,
  makerOf: ReadonlyMap<number, Maker>,
  known: ReadonlyMap<number, HostArray>,
): Cut {
  const needed = new Set<Maker>();
  const used = new Set<Value>();
  const open: Value[] = [value];
  for (let next = open.pop(); next; next = open.pop()) {
    if (known.has(next.id)) continue;
    const maker = makerOf.get(next.id);
    if (!maker) used.add(next);
    else if (!needed.has(maker)) {
      needed.add(maker);
      for (const input of maker.node.inputs) if (input) open.push(input);
    }
  }
  const inOrder = [...needed].sort((a, b) => a.at - b.at);
  return { nodes: inOrder.map(({ node }) => node), used: [...used] };
}

interface Maker {
  readonly node: Node;
  readonly at: number;
}

/** Which node makes a value, for a list of nodes that grows. */
function createMakers() {
  let seen: readonly Node[] = [];
  let count = 0;
  let makerOf = new Map<number, Maker>();
  return {
    of(nodes: readonly Node[]): ReadonlyMap<number, Maker> {
      if (nodes !== seen) {
        seen = nodes;
        count = 0;
        makerOf = new Map();
      }
      for (; count < nodes.length; count++) {
        const maker = { node: nodes[count] as Node, at: count };
        for (const value of maker.node.outputs) makerOf.set(value.id, maker);
      }
      return makerOf;
    },
  };
}

/** Values that a tensor of Python's still shows. */
function heldBy(store: Store): Set<number> {
  const ids = new Set<number>();
  for (const { cached, storage } of store.all()) {
    if (cached) ids.add(cached.value.id);
    if (storage.value) ids.add(storage.value.id);
  }
  return ids;
}

/** Parameters that this evaluation reads; the others fill beside the trace. */
function fillNow(store: Store, used: readonly Value[]): void {
  const needed = new Set(used.map((value) => value.data));
  for (const [storage, job] of store.pendingFills)
    if (storage.numbers !== null && needed.has(storage.numbers)) {
      runJob(job, storage.numbers);
      store.pendingFills.delete(storage);
    }
}

const smallLimit = 1 << 14;
const isSmall = (array: HostArray | undefined): boolean =>
  array === undefined || array.data.length <= smallLimit;

/** Operators that only move floats: nothing is rounded. */
const movers = new Set(
  "Concat Expand Gather GatherElements GatherND Identity Reshape Slice Split Squeeze TopK Transpose Unsqueeze Where".split(
    " ",
  ),
);

/** Masks and indices: their numbers are the same wherever they are computed, and few. */
function onHost(
  { nodes, used }: Cut,
  known: ReadonlyMap<number, HostArray>,
): ReadonlyMap<number, HostArray> | null {
  if (used.some((value) => value.role !== "constant" || value.data === null)) return null;
  if (!nodes.every(isExactAndSmall)) return null;
  const made = new Map<number, HostArray>();
  const numbersOf = (value: Value): HostArray =>
    made.get(value.id) ?? known.get(value.id) ?? (value as HostArray);
  for (const node of nodes) {
    const inputs = node.inputs.map((value) => value && numbersOf(value));
    if (!inputs.every((array) => array === null || isSmall(array))) return null;
    const outputs = evaluateNode(node, numbersOf);
    if (!outputs?.every(isHeldExactly)) return null;
    node.outputs.forEach((value, at) => {
      made.set(value.id, outputs[at] as HostArray);
    });
  }
  return made;
}

const isExactAndSmall = (node: Node): boolean =>
  node.outputs.every(
    ({ dtype, shape }) => numel(shape) <= smallLimit && (!isFloat(dtype) || movers.has(node.op)),
  );
