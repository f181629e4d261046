/**
 * Gradients of factors whose numbers are constants: PyTorch's formulas, in matrix products. Seeger
 * et al. 2017, https://arxiv.org/abs/1710.08717, has their derivation.
 */
import type { Emit, Value } from "../../graph/graph.ts";
import { sliceAxis, swapLastTwo, zerosOf } from "../../ops/write.ts";

export const times = (emit: Emit, ...factors: Value[]): Value =>
  factors.reduce((product, factor) => emit.op("MatMul", [product, factor]));

const sum = (emit: Emit, terms: readonly (Value | null)[]): Value | null =>
  terms.reduce((all, term) => (all && term ? emit.op("Add", [all, term]) : (all ?? term)), null);

const less = (emit: Emit, a: Value, b: Value): Value => emit.op("Sub", [a, b]);

export const triangle = (emit: Emit, x: Value, upper: 0 | 1, k: number): Value =>
  emit.op("Trilu", [x, emit.scalar(k, "int64")], { upper });

/** dA of A = Q R with Q of as many columns as A has, or of fewer rows than columns. */
export function qrGradient(
  emit: Emit,
  { q, r, a }: { readonly q: Value; readonly r: Value; readonly a: Value },
  /** R⁻ᵀ of its square part. */
  turned: Value,
  dq: Value | null,
  dr: Value | null,
): Value | null {
  const rank = r.shape.length;
  const [rows, columns] = r.shape.slice(-2) as [number, number];
  if (columns <= rows) return squareQr(emit, q, r, turned, dq, dr);
  // A = [X, Y], R = [U, V]: V = Qᵀ Y.
  const part = (x: Value, from: number, to: number) => sliceAxis(emit, x, rank - 1, from, to);
  const dv = dr && part(dr, rows, columns);
  const rest = dv && times(emit, part(a, rows, columns), swapLastTwo(emit, dv));
  const dx = squareQr(
    emit,
    q,
    part(r, 0, rows),
    turned,
    sum(emit, [dq, rest]),
    dr && part(dr, 0, rows),
  );
  const dy = dv ? times(emit, q, dv) : zerosOf(emit, a.dtype, part(a, rows, columns).shape);
  return dx && emit.op("Concat", [dx, dy], { axis: -1 });
}

function squareQr(
  emit: Emit,
  q: Value,
  r: Value,
  turned: Value,
  dq: Value | null,
  dr: Value | null,
): Value | null {
  const along = dr && times(emit, r, swapLastTwo(emit, dr));
  const across = dq && emit.op("Neg", [times(emit, swapLastTwo(emit, dq), q)]);
  const m = sum(emit, [along, across]);
  if (m === null) return null;
  const mirrored = swapLastTwo(emit, triangle(emit, m, 0, -1));
  const symmetric = emit.op("Add", [triangle(emit, m, 0, 0), mirrored]);
  const all = sum(emit, [dq, times(emit, q, symmetric)]);
  return all && times(emit, all, turned);
}

/** dA of A = U diag(s) Vᵀ with as many columns in U and V as there are singular values. */
export function svdGradient(
  emit: Emit,
  { u, s, vh }: { readonly u: Value; readonly s: Value; readonly vh: Value },
  [du, ds, dvh]: readonly (Value | null)[],
): Value | null {
  const [row, column] = [-2, -1].map((axis) => emit.op("Unsqueeze", [s, emit.ints([axis])])) as [
    Value,
    Value,
  ];
  const square = (x: Value) => emit.op("Mul", [x, x]);
  const gaps = withDiagonal(emit, less(emit, square(row), square(column)), emit.scalar(1, s.dtype));
  const turn = (x: Value, dx: Value) => {
    const product = times(emit, swapLastTwo(emit, x), dx);
    return emit.op("Div", [less(emit, product, swapLastTwo(emit, product)), gaps]);
  };
  const v = swapLastTwo(emit, vh);
  const dv = dvh ? swapLastTwo(emit, dvh) : null;
  const inner = sum(emit, [
    du ? emit.op("Mul", [turn(u, du), row]) : null,
    dv ? emit.op("Mul", [column, turn(v, dv)]) : null,
    ds ? diagonalOf(emit, ds) : null,
  ]);
  if (inner === null) return null;
  const rows = u.shape.at(-2) as number;
  const columns = v.shape.at(-2) as number;
  const k = s.shape.at(-1) as number;
  const outsideU = () => {
    const part = emit.op("Div", [du as Value, row]);
    return times(emit, less(emit, part, times(emit, u, swapLastTwo(emit, u), part)), vh);
  };
  const outsideV = () => {
    const part = emit.op("Div", [dvh as Value, column]);
    return times(emit, u, less(emit, part, times(emit, part, v, vh)));
  };
  return sum(emit, [
    times(emit, u, inner, vh),
    du && rows > k ? outsideU() : null,
    dvh && columns > k ? outsideV() : null,
  ]);
}

/** dA of A = V diag(λ) Vᵀ. */
export function eighGradient(
  emit: Emit,
  values: Value,
  vectors: Value,
  dValues: Value | null,
  dVectors: Value | null,
): Value | null {
  const [row, column] = [-2, -1].map((axis) =>
    emit.op("Unsqueeze", [values, emit.ints([axis])]),
  ) as [Value, Value];
  const one = emit.scalar(1, values.dtype);
  const gaps = withDiagonal(emit, less(emit, row, column), one);
  const turned = swapLastTwo(emit, vectors);
  const zero = emit.scalar(0, values.dtype);
  const across = (d: Value) => {
    const product = times(emit, turned, d);
    const skew = less(emit, product, swapLastTwo(emit, product));
    return emit.op("Div", [emit.op("Mul", [skew, emit.scalar(0.5, skew.dtype)]), gaps]);
  };
  const inner = sum(emit, [
    dVectors && withDiagonal(emit, across(dVectors), zero),
    dValues && diagonalOf(emit, dValues),
  ]);
  return inner && times(emit, vectors, inner, turned);
}

/** dA of A⁺, Golub and Pereyra 1973. */
export function pinvGradient(emit: Emit, a: Value, pseudo: Value, d: Value): Value {
  const [turned, dt] = [swapLastTwo(emit, pseudo), swapLastTwo(emit, d)];
  const [rows, columns] = a.shape.slice(-2) as [number, number];
  const negative = (x: Value) => emit.op("Neg", [x]);
  if (rows <= columns) {
    const k = times(emit, dt, pseudo);
    const kp = times(emit, k, turned);
    const last = times(emit, turned, pseudo, less(emit, dt, times(emit, k, a)));
    const first = negative(swapLastTwo(emit, times(emit, pseudo, k)));
    return sum(emit, [first, kp, negative(times(emit, a, pseudo, kp)), last]) as Value;
  }
  const k = times(emit, pseudo, dt);
  const pk = times(emit, turned, k);
  const middle = times(emit, less(emit, dt, times(emit, a, k)), pseudo, turned);
  const first = negative(swapLastTwo(emit, times(emit, k, pseudo)));
  return sum(emit, [first, middle, pk, negative(times(emit, pk, pseudo, a))]) as Value;
}

/** Square matrices with `x` on the diagonal. */
function diagonalOf(emit: Emit, x: Value): Value {
  const column = emit.op("Unsqueeze", [x, emit.ints([-1])]);
  return emit.op("Mul", [column, eye(emit, x.shape.at(-1) as number, x.dtype)]);
}

function withDiagonal(emit: Emit, x: Value, filled: Value): Value {
  const isDiagonal = emit.op("Cast", [eye(emit, x.shape.at(-1) as number, x.dtype)], {
    to: "bool",
  });
  return emit.op("Where", [isDiagonal, filled, x]);
}

function eye(emit: Emit, n: number, dtype: Value["dtype"]): Value {
  const data = dtype === "float64" ? new Float64Array(n * n) : new Float32Array(n * n);
  for (let i = 0; i < n; i++) data[i * n + i] = 1;
  return emit.constant({ dtype, shape: [n, n], data });
}
