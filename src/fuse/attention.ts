/** Causal attention as one kernel, GroupQueryAttention. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { findPattern } from "../graph/patterns.ts";
import { prune } from "../graph/prune.ts";
import { allocate, sameShape } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import { reshapeTo } from "../ops/write.ts";
import {
  made,
  own,
  scaled,
  type Turned,
  turnedThrough,
  type Uses,
  usesOf,
  written,
} from "./rewriting.ts";

/** What the kernel gives beside its result: heads of keys and values, as transposes of their sources. */
export type Heads = ReadonlyMap<Value, Turned>;

/** [B, T, H, D] → [B, H, T, D]. */
const toHeads = [0, 2, 1, 3];

/** The kernel wants heads of a multiple of this width. */
const widthStep = 8;

interface Attention {
  /** [B, T, H, D] each. */
  readonly q: Value;
  readonly k: Value;
  readonly v: Value;
  readonly scale: number;
  /** [B, H, T, T]. */
  readonly weights: Value;
  /** The node that mixes the values. */
  readonly mix: Node;
}

/**
 * softmax(q · kᵀ · scale + causal mask) · v. ONNX Runtime's Softmax takes five times as long over rows
 * with −∞, whose exponentials are denormal on the way to 0; this kernel looks at what is visible alone,
 * and takes the heads from where the projections left them.
 */
export function fuseAttention(emit: Emitter, graph: Graph): { graph: Graph; heads: Heads } {
  const uses = usesOf(graph);
  const heads = new Map<Value, Turned>();
  const mixes = new Map<Node, readonly Node[]>();
  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const mixed = mixes.get(node);
    if (mixed) return mixed;
    const found = attentionOf(node, uses);
    const sources = found ? [found.q, found.k, found.v].map(uses.makerOf) : [];
    const areThere = sources.every((maker) => maker === null || uses.isBefore(maker, node));
    if (found === null || !areThere) return [node];
    const { kernel, after } = write(emit, found, node, heads);
    mixes.set(found.mix, after);
    return kernel;
  });
  return { graph: prune({ ...graph, nodes }), heads };
}

function attentionOf(softmax: Node, uses: Uses): Attention | null {
  const [logits] = softmax.inputs;
  const [weights] = softmax.outputs;
  const axis = softmax.attrs["axis"] ?? -1;
  if (softmax.op !== "Softmax" || !logits || !weights || (axis !== -1 && axis !== 3)) return null;
  if (weights.dtype !== "float32" || weights.shape.length !== 4) return null;
  const mix = uses
    .usersOf(weights)
    .find(({ op, inputs }) => op === "MatMul" && inputs[0] === weights);
  const values = mix?.inputs[1];
  const add = uses.makerOf(logits);
  const [products, mask] = add?.op === "Add" ? add.inputs : [];
  if (!mix || !values || !products || !mask || !isCausal(mask)) return null;
  const outer = scaled(uses.makerOf(products));
  const product = uses.makerOf(outer?.of ?? products);
  const [rows, columns] = product?.op === "MatMul" ? product.inputs : [];
  if (!rows || !columns) return null;
  const [ofRows, ofColumns] = [scaled(uses.makerOf(rows)), scaled(uses.makerOf(columns))];
  const q = turnedThrough(uses, ofRows?.of ?? rows);
  const k = turnedThrough(uses, ofColumns?.of ?? columns);
  const v = turnedThrough(uses, values);
  const areHeads =
    sameShape(q.perm, toHeads) && sameShape(k.perm, [0, 2, 3, 1]) && sameShape(v.perm, toHeads);
  const width = q.source.shape.at(-1) as number;
  if (!areHeads || width % widthStep !== 0) return null;
  const areAlike = [k, v].every(({ source }) => sameShape(source.shape, q.source.shape));
  if (!areAlike) return null;
  const scale = (outer?.factor ?? 1) * (ofRows?.factor ?? 1) * (ofColumns?.factor ?? 1);
  return { q: q.source, k: k.source, v: v.source, scale, weights, mix };
}

/** 0 on and below the diagonal, −∞ above. */
function isCausal({ role, dtype, shape, data }: Value): boolean {
  const [rows, columns] = shape.slice(-2);
  if (role !== "constant" || data === null || rows !== columns || shape.length < 2) return false;
  const pattern = findPattern({ dtype, shape, data });
  return (
    pattern?.kind === "triangular" &&
    pattern.diagonal === 0 &&
    pattern.inside === 0 &&
    pattern.outside === Number.NEGATIVE_INFINITY
  );
}

function write(
  emit: Emitter,
  { q, k, v, scale, weights, mix }: Attention,
  softmax: Node,
  heads: Map<Value, Turned>,
): { readonly kernel: readonly Node[]; readonly after: readonly Node[] } {
  const [batch, length, count, width] = q.shape as [number, number, number, number];
  const flat = [batch, length, count * width];
  const type = { dtype: "float32", shape: [batch, count, length, width] } as const;
  const [keys, values] = [made(emit, type), made(emit, type)];
  const result = made(emit, { dtype: "float32", shape: flat });
  heads.set(keys, { source: k, perm: toHeads });
  heads.set(values, { source: v, perm: toHeads });
  let inputs: readonly (Value | null)[] = [];
  const before = written(emit, softmax.origin, () => {
    const last = allocate("int32", batch).fill(length - 1);
    const lengths = emit.constant({ dtype: "int32", shape: [batch], data: last });
    const rows = [q, k, v].map((x) => reshapeTo(emit, x, flat));
    inputs = [...rows, null, null, lengths, emit.scalar(length, "int32")];
  });
  const kernel: Node = {
    op: own("GroupQueryAttention"),
    inputs,
    outputs: [result, keys, values, weights],
    // qk_output 2: the weights after the softmax.
    attrs: { num_heads: count, kv_num_heads: count, scale, qk_output: 2 },
    origin: softmax.origin,
  };
  let rows = result;
  const shaped = written(emit, mix.origin, () => {
    rows = reshapeTo(emit, result, q.shape);
  });
  const turn: Node = { ...mix, op: "Transpose", inputs: [rows], attrs: { perm: toHeads } };
  return { kernel: [...before, kernel], after: [...shaped, turn] };
}
