/** Which factors of a product PyTorch keeps for the backward pass: of what it copies first, an edit goes unseen. */
import { numel } from "../../graph/tensor.ts";
import { type Labelled, ofPair, onDiagonal } from "../layout/contracted.ts";
import type { Laid, Tensor } from "../tensor.ts";
import { expandedStrides, viewStrides } from "../views.ts";
import { broadcastBatch } from "./matmulErrors.ts";

type RequiresGrad = (tensor: Tensor) => boolean;
type Both = readonly [boolean, boolean];

/** Whether PyTorch multiplies all rows of a batch at once without copying them. */
export const isFoldable = (input: Laid): boolean =>
  input.shape.length < 3 ||
  viewStrides(input, [numel(input.shape.slice(0, -1)), input.shape.at(-1) as number]) !== null;

/** Of a · b as torch.matmul multiplies them. */
export function keptOfMatmul(a: Tensor, b: Tensor, requiresGrad: RequiresGrad): Tensor[] {
  const requires: Both = [requiresGrad(a), requiresGrad(b)];
  const areViews = viewsOf(a, b, requires);
  return [a, b].filter((_, at) => requires[1 - at] && areViews[at]);
}

/** Whether what PyTorch multiplies are views of a and of b. */
function viewsOf(a: Laid, b: Laid, requires: Both): Both {
  const [rankA, rankB] = [a.shape.length, b.shape.length];
  const [requiresA, requiresB] = requires;
  if (rankA <= 2 && rankB <= 2) return [true, true];
  if (rankB <= 2 && (requiresB || liesRowByRow(a))) return [isFoldable(a), true];
  const turned = rankA <= 2 ? transposed(b) : b;
  if (rankA <= 2 && (requiresA || (rankA === 1 && liesRowByRow(turned))))
    return [true, isFoldable(turned)];
  if (rankA === 3 && rankB === 3 && a.shape[0] !== b.shape[0]) {
    if (a.shape[0] === 1 && requiresA) return viewsOf(withoutFirst(a), b, requires);
    if (b.shape[0] === 1 && requiresB) return viewsOf(a, withoutFirst(b), requires);
  }
  const batch = broadcastBatch(a.shape.slice(0, -2), b.shape.slice(0, -2));
  return [isBatchAsItLies(a, batch), isBatchAsItLies(b, batch)];
}

/** Whether the axes before the last two lie one within the other, so that PyTorch folds them. */
const liesRowByRow = ({ shape, strides }: Laid): boolean =>
  shape
    .slice(0, -2)
    .every((_, i) => strides[i] === (strides[i + 1] as number) * (shape[i + 1] as number));

const transposed = ({ shape, strides }: Laid): Laid => ({
  shape: swappedLast(shape),
  strides: swappedLast(strides),
});

const swappedLast = (list: readonly number[]): number[] => [
  ...list.slice(0, -2),
  ...list.slice(-2).reverse(),
];

const withoutFirst = ({ shape, strides }: Laid): Laid => ({
  shape: shape.slice(1),
  strides: strides.slice(1),
});

/** Whether matrices that are spread over a batch become a list of them without a copy. */
export function isBatchAsItLies(of: Laid, batch: readonly number[]): boolean {
  const matrix = of.shape.slice(-2);
  const shape = [...batch, ...matrix];
  const strides = expandedStrides(of, shape);
  return viewStrides({ shape, strides }, [numel(batch), ...matrix]) !== null;
}

/** What stands for an operand of torch.einsum on the way; `tensor` is null for what was computed. */
interface Term extends Labelled {
  readonly tensor: Tensor | null;
  readonly requiresGrad: boolean;
}

/** Of the operands of torch.einsum, whose pairs are products of elements or of batches of matrices. */
export function keptOfContraction(
  operands: readonly { readonly tensor: Tensor; readonly labels: readonly string[] }[],
  output: readonly string[],
  requiresGrad: RequiresGrad,
): Tensor[] {
  const [first, ...rest] = operands.map(
    ({ tensor, labels }): Term => ({
      ...onDiagonal(tensor, labels),
      tensor,
      requiresGrad: requiresGrad(tensor),
    }),
  );
  const kept: Tensor[] = [];
  if (first === undefined) return kept;
  rest.reduce((left, right, at) => {
    const others = rest.slice(at + 1);
    const later = new Set([
      ...output,
      ...others.flatMap((term) => term.labels.filter((label) => isWide(term, label))),
    ]);
    kept.push(...keptOfPair(left, right, { output, later }));
    return {
      ...ofPair(left, right, output, later),
      tensor: null,
      requiresGrad: left.requiresGrad || right.requiresGrad,
    };
  }, first);
  return kept;
}

const isWide = ({ labels, shape }: Labelled, label: string): boolean =>
  (shape[labels.indexOf(label)] ?? 1) !== 1;

function keptOfPair(
  a: Term,
  b: Term,
  axes: { readonly output: readonly string[]; readonly later: ReadonlySet<string> },
): Tensor[] {
  const { output, later } = axes;
  const rest = [...new Set([...a.labels, ...b.labels])].filter((it) => !output.includes(it)).sort();
  const all = [...output, ...rest];
  const areBoth = (label: string) => isWide(a, label) && isWide(b, label);
  const summed = all.filter((label) => areBoth(label) && !later.has(label));
  const shared = all.filter((label) => areBoth(label) && later.has(label));
  const isKept = (own: Term, other: Term): boolean => {
    const alone = own.labels.filter((label) => isWide(own, label) && !isWide(other, label));
    if (!other.requiresGrad || alone.some((label) => !later.has(label))) return false;
    const rows = all.filter((label) => alone.includes(label));
    return summed.length === 0 || liesInGroups(own, [shared, rows, summed]);
  };
  return [...(isKept(a, b) ? [a] : []), ...(isKept(b, a) ? [b] : [])].flatMap(
    ({ tensor }) => tensor ?? [],
  );
}

/** Whether the axes of each group become one without a copy. */
function liesInGroups({ labels, shape, strides }: Labelled, groups: readonly string[][]): boolean {
  const axes = groups.flat().map((label) => labels.indexOf(label));
  const turned = {
    shape: axes.map((axis) => shape[axis] as number),
    strides: axes.map((axis) => strides[axis] as number),
  };
  const sizeOf = (label: string) => shape[labels.indexOf(label)] as number;
  return (
    viewStrides(
      turned,
      groups.map((group) => numel(group.map(sizeOf))),
    ) !== null
  );
}
