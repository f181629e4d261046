/**
 * Arithmetic on numbers that are still to be drawn: a weight that is drawn and then scaled costs no more
 * than one that is drawn, and a weight that is drawn once more costs neither.
 */
import type { Numbers } from "../graph/tensor.ts";
import { erfinv } from "./erfinv.ts";

/** Plain data. Numbers are in the element type of what they edit, and each result is rounded to it. */
export type FillEdit =
  | { readonly op: "add" | "sub" | "mul" | "div"; readonly by: number }
  | { readonly op: "clamp"; readonly low: number; readonly high: number }
  | { readonly op: "erfinv" };

/** Edits in place, in order. */
export function editAll(out: Numbers, edits: readonly FillEdit[]): void {
  for (const edit of edits) editOne(out, edit);
}

/** One loop an operation: none calls a function through a variable. */
function editOne(out: Numbers, edit: FillEdit): void {
  const { length } = out;
  switch (edit.op) {
    case "add":
      for (let i = 0; i < length; i++) out[i] = (out[i] as number) + edit.by;
      return;
    case "sub":
      for (let i = 0; i < length; i++) out[i] = (out[i] as number) - edit.by;
      return;
    case "mul":
      for (let i = 0; i < length; i++) out[i] = (out[i] as number) * edit.by;
      return;
    case "div":
      for (let i = 0; i < length; i++) out[i] = (out[i] as number) / edit.by;
      return;
    case "clamp":
      clamp(out, edit.low, edit.high);
      return;
    case "erfinv":
      for (let i = 0; i < length; i++) out[i] = erfinv(out[i] as number);
  }
}

function clamp(out: Numbers, low: number, high: number): void {
  for (let i = 0; i < out.length; i++) {
    const x = out[i] as number;
    if (x < low) out[i] = low;
    if ((out[i] as number) > high) out[i] = high;
  }
}
