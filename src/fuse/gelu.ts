/** GELU and its slope, which share x/√2 and Φ. */
import type { Graph, Node, Value } from "../graph/graph.ts";
import { prune } from "../graph/prune.ts";
import { substitute } from "../graph/substitute.ts";
import type { Emitter } from "../ops/emitter.ts";
import { scaled, type Uses, usesOf, written } from "./rewriting.ts";

interface Curve {
  readonly x: Value;
  readonly y: Value;
  /** x/√2, erf of it, and Φ. */
  readonly half: Node;
  readonly erf: Node;
  readonly phi: Node;
}

/** The product that gives x and those that read y, where nothing else does. */
interface Around {
  readonly gives: Node;
  /** Adds the bias to what `gives` gives. */
  readonly adds: Node | null;
  readonly reads: readonly Node[];
}

/**
 * Φ is computed in the forward pass and kept for the slope. Where x comes from one product and y goes
 * into others, the former gives u = x/√2 at once, and these make √2 · (u · Φ) of u · Φ.
 */
export function fuseGelu(emit: Emitter, graph: Graph): Graph {
  const uses = usesOf(graph);
  const instead = new Map<Node, readonly Node[]>();
  const factors = new Map<Node, number>();
  const same = new Map<Value, Value>();
  const times = (node: Node, factor: number) =>
    factors.set(node, (factors.get(node) ?? 1) * factor);

  for (const gelu of graph.nodes) {
    const curve = curveOf(gelu, uses);
    if (curve === null) continue;
    const { x, half, erf, phi } = curve;
    for (const later of [half, erf, phi]) instead.set(later, []);
    const inputs = [x, phi.outputs[0] ?? null];
    const product: Node = { ...gelu, op: "Mul", inputs, attrs: {} };
    const around = aroundOf(curve, uses);
    instead.set(gelu, around ? [erf, phi, product] : [half, erf, phi, product]);
    if (around === null) continue;
    same.set(half.outputs[0] as Value, x);
    times(around.gives, Math.SQRT1_2);
    for (const reader of around.reads) times(reader, Math.SQRT2);
    if (around.adds) instead.set(around.adds, withScaledBias(emit, around.adds));
  }

  const nodes = graph.nodes.flatMap((node): readonly Node[] => {
    const factor = factors.get(node);
    if (factor === undefined) return instead.get(node) ?? [node];
    const alpha = Number(node.attrs["alpha"] ?? 1) * factor;
    return [{ ...node, attrs: { ...node.attrs, alpha } }];
  });
  return prune({ ...graph, nodes: substitute(nodes, same) });
}

function curveOf(gelu: Node, uses: Uses): Curve | null {
  const [x] = gelu.inputs;
  const [y] = gelu.outputs;
  const isExact = gelu.op === "Gelu" && (gelu.attrs["approximate"] ?? "none") === "none";
  if (!isExact || !x || !y || x.dtype !== "float32") return null;
  for (const half of uses.usersOf(x)) {
    const by = scaled(half);
    if (
      by?.of !== x ||
      uses.isBefore(half, gelu) ||
      Math.fround(by.factor) !== Math.fround(Math.SQRT1_2)
    )
      continue;
    const erf = userOf(half, "Erf", uses);
    if (erf === null) continue;
    const phi = userOf(erf, "HardSigmoid", uses);
    if (phi?.attrs["alpha"] === 0.5 && phi.attrs["beta"] === 0.5) return { x, y, half, erf, phi };
  }
  return null;
}

const userOf = ({ outputs }: Node, op: string, uses: Uses): Node | null =>
  uses.usersOf(outputs[0] as Value).find((user) => user.op === op) ?? null;

function aroundOf({ x, y, half }: Curve, uses: Uses): Around | null {
  const users = uses.usersOf(x);
  if (users.length !== 2 || !users.includes(half) || uses.isOutput(x)) return null;
  const whole = beforeReshape(x, uses);
  const maker = uses.makerOf(whole);
  const [product] = maker?.op === "Add" ? maker.inputs : [whole];
  const gives = uses.makerOf(product);
  const isOwn = product === whole || (product && uses.onlyUserOf(product) === maker);
  if (gives?.op !== "Gemm" || gives.inputs[2] || !isOwn) return null;
  if (whole !== x && uses.onlyUserOf(whole) === null) return null;
  const reads = readersOf(y, uses);
  return reads && { gives, adds: product === whole ? null : maker, reads };
}

function beforeReshape(value: Value, uses: Uses): Value {
  const maker = uses.makerOf(value);
  return maker?.op === "Reshape" && maker.inputs[0] ? maker.inputs[0] : value;
}

/** The products without a bias that read a value as it is or reshaped; null: something else does. */
function readersOf(value: Value, uses: Uses): readonly Node[] | null {
  if (uses.isOutput(value)) return null;
  const readers: Node[] = [];
  for (const user of uses.usersOf(value)) {
    const of = user.op === "Reshape" ? readersOf(user.outputs[0] as Value, uses) : [user];
    if (of === null || of.some(({ op, inputs }) => op !== "Gemm" || inputs[2])) return null;
    readers.push(...of);
  }
  return readers;
}

function withScaledBias(emit: Emitter, add: Node): readonly Node[] {
  const [product = null, bias = null] = add.inputs;
  let half = bias;
  const before = written(emit, add.origin, () => {
    half = emit.op("Mul", [bias, emit.scalar(Math.SQRT1_2, "float32")]);
  });
  return [...before, { ...add, inputs: [product, half] }];
}
