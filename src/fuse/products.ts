/** Matrix products that read their operands turned, and scale what they give: FusedMatMul. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { substitute } from "../graph/substitute.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { Heads } from "./attention.ts";
import {
  isIdentity,
  keepsLast,
  made,
  own,
  scaled,
  turned,
  turnedThrough,
  usesOf,
} from "./rewriting.ts";

interface Operand {
  readonly value: Value;
  /** Whether the product reads its last two axes the other way round. */
  readonly isTurned: boolean;
}

interface Product {
  readonly a: Operand;
  readonly b: Operand;
  readonly factor: number;
}

/**
 * Transposes of the last two axes and factors become a part of products; what is left of a transpose
 * moves whole rows, which is the faster kind, and is made once. `heads`: transposes that another kernel
 * gives anyway.
 */
export function fuseProducts(emit: Emitter, graph: Graph, heads: Heads): Graph {
  const uses = usesOf(graph);
  const nodes: Node[] = [];
  const makers = new Map<Value, Node>();
  const products = new Map<Value, Product>();
  const known = new Map<string, Value>();
  const same = new Map<Value, Value>();
  const makerOf = (value: Value | null | undefined): Node | null =>
    value ? (makers.get(value) ?? null) : null;

  for (const given of graph.nodes) {
    const [node = given] = substitute([given], same);
    if (node.op === "MatMul") matMul(node);
    else if (node.op === "Transpose") transpose(node);
    else if (!scaledProduct(node)) put(node);
    for (const value of node.outputs) noteHeads(value);
  }
  return prune({ ...graph, nodes });

  function put(node: Node): void {
    nodes.push(node);
    for (const value of node.outputs) makers.set(value, node);
  }

  function putProduct(product: Product, node: Node, outputs: readonly Value[]): void {
    const { a, b, factor } = product;
    const inputs = [a.value, b.value];
    const isPlain = factor === 1 && !a.isTurned && !b.isTurned;
    const op = isPlain ? "MatMul" : own("FusedMatMul");
    const fused = { alpha: factor, transA: Number(a.isTurned), transB: Number(b.isTurned) };
    put({ op, inputs, outputs, attrs: isPlain ? {} : fused, origin: node.origin });
    for (const value of outputs) products.set(value, product);
  }

  function matMul(node: Node): void {
    const [a, b] = node.inputs;
    const isFitting = a && b && a.dtype === "float32" && a.shape.length === b.shape.length;
    if (!isFitting || a.shape.length < 2) {
      put(node);
      return;
    }
    const [first, second] = [operandOf(a, node), operandOf(b, node)];
    putProduct({ a: first, b: second, factor: first.factor * second.factor }, node, node.outputs);
  }

  function operandOf(value: Value, user: Node): Operand & { readonly factor: number } {
    let at = value;
    let isTurned = false;
    let factor = 1;
    const unscale = (): void => {
      for (let by = scaled(makerOf(at)); by !== null; by = scaled(makerOf(at))) {
        at = by.of;
        factor *= by.factor;
      }
    };
    unscale();
    const turn = turnedThrough({ makerOf }, at);
    const swapped = swapLastTwo(turn.perm);
    if (isIdentity(swapped) || (!keepsLast(turn.perm) && keepsLast(swapped))) {
      isTurned = true;
      at = turn.source;
      unscale();
      if (!isIdentity(swapped)) at = turnedBy(at, swapped, user);
    }
    return { value: at, isTurned, factor };
  }

  /** `perm` of a value, made where nothing before made it. */
  function turnedBy(source: Value, perm: readonly number[], user: Node): Value {
    const key = keyOf(source, perm);
    const found = known.get(key);
    if (found) return found;
    const shape = perm.map((axis) => source.shape[axis] as number);
    const value = made(emit, { dtype: source.dtype, shape });
    put({
      op: "Transpose",
      inputs: [source],
      outputs: [value],
      attrs: { perm },
      origin: user.origin,
    });
    known.set(key, value);
    return value;
  }

  function transpose(node: Node): void {
    const [output] = node.outputs;
    const turn = turned(node);
    if (!output || !turn) {
      put(node);
      return;
    }
    const before = turnedThrough({ makerOf }, turn.source);
    const { source } = before;
    const perm = turn.perm.map((axis) => before.perm[axis] as number);
    const found = isIdentity(perm) ? source : known.get(keyOf(source, perm));
    if (found && !uses.isOutput(output)) {
      same.set(output, found);
      return;
    }
    if (turnedProduct(node, source, perm)) return;
    put({ ...node, inputs: [source], attrs: { perm } });
    known.set(keyOf(source, perm), output);
  }

  /** (A · B)ᵀ = Bᵀ · Aᵀ, where nobody else reads A · B. */
  function turnedProduct(node: Node, source: Value, perm: readonly number[]): boolean {
    const product = products.get(source);
    const maker = makerOf(source);
    if (!product || !maker || uses.onlyUserOf(source) === null) return false;
    const last = perm.length - 1;
    const others = perm.map((axis) => (axis === last ? last - 1 : axis === last - 1 ? last : axis));
    if (!isIdentity(others) && (keepsLast(perm) || !keepsLast(others))) return false;
    const turnedOver = ({ value, isTurned }: Operand) => ({ value, isTurned: !isTurned });
    const { a, b, factor } = product;
    const swapped = { a: turnedOver(b), b: turnedOver(a), factor };
    if (isIdentity(others)) {
      putProduct(swapped, maker, node.outputs);
      return true;
    }
    const shape = swapLastTwo(source.shape);
    const value = made(emit, { dtype: source.dtype, shape });
    putProduct(swapped, maker, [value]);
    put({ ...node, inputs: [value], attrs: { perm: others } });
    return true;
  }

  /** (A · B) · factor, where nobody else reads A · B. */
  function scaledProduct(node: Node): boolean {
    const by = scaled(node);
    const product = by && products.get(by.of);
    const maker = by && makerOf(by.of);
    if (!by || !product || !maker || uses.onlyUserOf(by.of) === null) return false;
    putProduct({ ...product, factor: product.factor * by.factor }, maker, node.outputs);
    return true;
  }

  function noteHeads(value: Value): void {
    const turn = heads.get(value);
    if (!turn) return;
    const key = keyOf(turn.source, turn.perm);
    const before = known.get(key);
    if (before && !uses.isOutput(before)) same.set(before, value);
    known.set(key, value);
  }
}

const keyOf = ({ id }: Value, perm: readonly number[]): string => `${id}:${perm.join()}`;

const swapLastTwo = <T>(axes: readonly T[]): readonly T[] => [
  ...axes.slice(0, -2),
  ...axes.slice(-2).reverse(),
];
