/** How numbers are written everywhere: in the editor, the terminal and the HTML page. */
import type { Num, Stats } from "../protocol/report.ts";

export interface NumberFormat {
  /** Significant digits, 3 by default. */
  readonly digits?: number;
  /** Padded on the left to this many characters. */
  readonly width?: number;
}

/**
 * `0.0312`, `1.02`, `314`; outside of [0.01, 1000) with an exponent: `3.12e-4`, `5.00e6`.
 * Non-finite numbers are spelled as PyTorch prints them.
 */
export function formatNumber(num: Num, { digits = 3, width = 0 }: NumberFormat = {}): string {
  return plain(toNumber(num), digits).padStart(width);
}

/** As JSON can hold it. */
export function numOf(x: number): Num {
  if (Number.isFinite(x)) return x;
  return Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
}

/** The number that JSON could not hold. */
export const toNumber = (num: Num): number => (typeof num === "number" ? num : Number(num));

function plain(x: number, digits: number): string {
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const [mantissa = "", exponentText = "0"] = x.toExponential(digits - 1).split("e");
  const exponent = Number(exponentText);
  if (exponent < -2 || exponent > 2) return `${mantissa}e${exponent}`;
  return x.toFixed(Math.max(digits - 1 - exponent, 0));
}

/** A whole number: `0` … `9999`, then `233 k`, `124 M`, `61.3 G`. */
export function formatCount(count: number): string {
  if (count < 10_000) return String(count);
  const units = ["k", "M", "G", "T", "P"];
  let scaled = count / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${Number(scaled.toPrecision(3))} ${units[unit]}`;
}

/** `0.4 ms`, `9.7 ms`, `212 ms`, `1.24 s`, `125 s`. */
export function formatMs(ms: number): string {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  return ms < 99_950 ? `${(ms / 1000).toPrecision(3)} s` : `${(ms / 1000).toFixed(0)} s`;
}

/** `812 B`, `31.5 MB`, `2.1 GB`: decimal units. */
export function formatBytes(bytes: number): string {
  const [amount = "", unit = ""] = formatCount(bytes).split(" ");
  return `${amount} ${unit === "k" ? "kB" : `${unit}B`}`;
}

/** `[4, 32, 64]`, as PyTorch prints a shape. */
export const formatShape = (shape: readonly number[]): string => `[${shape.join(", ")}]`;

export type NonFinite = Pick<Stats, "nan" | "posInf" | "negInf">;

/** How many entries are not finite, as `3 NaN, 2 inf`; empty where all are. */
export function formatNonFinite({ nan, posInf, negInf }: NonFinite): string {
  const kinds: [number, string][] = [
    [nan, "NaN"],
    [posInf, "inf"],
    [negInf, "-inf"],
  ];
  const present = kinds.filter(([count]) => count > 0);
  return present.map(([count, kind]) => `${formatCount(count)} ${kind}`).join(", ");
}
