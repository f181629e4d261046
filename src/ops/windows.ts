/** Sliding windows: sizes and paddings that convolutions and pools share. */
import { shapeMismatch } from "../errors.ts";
import { formatType, type TensorType } from "../graph/tensor.ts";

export type WindowAttrs = {
  readonly auto_pad?: string;
  readonly kernel_shape?: readonly number[];
  /** All begins, then all ends. */
  readonly pads?: readonly number[];
  readonly strides?: readonly number[];
  readonly dilations?: readonly number[];
  readonly ceil_mode?: number;
};

/** One number for each spatial axis. */
export interface Windows {
  readonly kernel: readonly number[];
  readonly strides: readonly number[];
  readonly dilations: readonly number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** How many windows there are. */
  readonly counts: readonly number[];
}

/** The windows over the axes 2, 3, … of X. */
export function windowsOf(
  op: string,
  X: TensorType,
  kernel: readonly number[],
  attrs: WindowAttrs,
): Windows {
  const sizes = X.shape.slice(2);
  const strides = attrs.strides ?? sizes.map(() => 1);
  const dilations = attrs.dilations ?? sizes.map(() => 1);
  const spans = kernel.map((size, k) => (size - 1) * (dilations[k] ?? 1) + 1);
  const pads = sizes.map((size, k) => padsOf(attrs, k, size, spans[k] ?? 1, strides[k] ?? 1));
  const counts = sizes.map((size, k) => {
    const [before, after] = pads[k] as [number, number];
    const stride = strides[k] ?? 1;
    const steps = (before + size + after - (spans[k] ?? 1)) / stride;
    if (!attrs.ceil_mode) return Math.floor(steps) + 1;
    // A window that would begin in the padding behind does not count.
    const count = Math.ceil(steps) + 1;
    return (count - 1) * stride >= size + before ? count - 1 : count;
  });
  if (kernel.length !== sizes.length || counts.some((count) => count < 1))
    throw shapeMismatch(
      `${op} needs windows of [${kernel.join(", ")}] that fit in [N, C, ...]; got ${formatType(X)}`,
    );
  const before = pads.map(([size]) => size);
  const after = pads.map(([, size]) => size);
  return { kernel, strides, dilations, before, after, counts };
}

function padsOf(
  attrs: WindowAttrs,
  k: number,
  size: number,
  span: number,
  stride: number,
): [number, number] {
  const { auto_pad = "NOTSET", pads = [] } = attrs;
  if (auto_pad === "VALID") return [0, 0];
  if (auto_pad === "NOTSET") return [pads[k] ?? 0, pads[k + pads.length / 2] ?? 0];
  const total = Math.max((Math.ceil(size / stride) - 1) * stride + span - size, 0);
  const less = Math.floor(total / 2);
  return auto_pad === "SAME_UPPER" ? [less, total - less] : [total - less, less];
}
