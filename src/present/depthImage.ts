/** A line's numbers over its passes as a small picture, for a hover: forward and gradient. */
import type { Num } from "../protocol/report.ts";
import { escapeHtml } from "./html/escape.ts";
import { formatNumber, toNumber } from "./number.ts";

export interface ImageColours {
  readonly text: string;
  readonly axis: string;
  readonly forward: string;
  readonly gradient: string;
}

/** Distinct in brightness as well as in hue, and apart from that by their dashes. */
export const imageColours = {
  light: { text: "#3B3B3B", axis: "#C8C8C8", forward: "#0B5CAD", gradient: "#B4560A" },
  dark: { text: "#CCCCCC", axis: "#505050", forward: "#6CB6FF", gradient: "#FFAB5E" },
} as const satisfies Record<string, ImageColours>;

const width = 360;
const height = 96;
const left = 52;
const right = 52;
const top = 10;
const bottom = 18;

/** null where there is no curve to draw: a single pass. Each side has its own logarithmic axis. */
export function depthImage(
  forward: readonly (Num | null)[],
  gradient: readonly (Num | null)[],
  colours: ImageColours,
): string | null {
  if (forward.length < 2) return null;
  const f = curve(forward, colours.forward, "");
  const g = curve(gradient, colours.gradient, "5 3");
  if (f === null) return null;
  const base = height - bottom;
  const text = (x: number, y: number, content: string, colour: string, anchor: string) =>
    `<text x="${x}" y="${y}" fill="${colour}" text-anchor="${anchor}">${escapeHtml(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<path d="M${left} ${top}V${base}H${width - right}V${top}" fill="none" stroke="${colours.axis}"/>`,
    f.path,
    text(left - 5, top + 8, f.largest, colours.forward, "end"),
    text(left - 5, base, f.smallest, colours.forward, "end"),
    ...(g === null
      ? []
      : [
          g.path,
          text(width - right + 5, top + 8, g.largest, colours.gradient, "start"),
          text(width - right + 5, base, g.smallest, colours.gradient, "start"),
        ]),
    text(left, height - 4, "0", colours.text, "start"),
    text(width - right, height - 4, String(forward.length - 1), colours.text, "end"),
    "</svg>",
  ].join("");
}

interface Curve {
  readonly path: string;
  readonly smallest: string;
  readonly largest: string;
}

function curve(nums: readonly (Num | null)[], colour: string, dashes: string): Curve | null {
  const values = nums.map((num) => (num === null ? Number.NaN : toNumber(num)));
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return null;
  const [smallest, largest] = [Math.min(...positive), Math.max(...positive)];
  // A curve that hardly moves is drawn flat, in the middle.
  const margin = Math.max(0, Math.log(1.2) - Math.log(largest / smallest)) / 2;
  const [low, high] = [Math.log(smallest) - margin, Math.log(largest) + margin];
  const x = (i: number) => left + (i / (values.length - 1)) * (width - left - right);
  const y = (value: number) =>
    height - bottom - ((Math.log(value) - low) / (high - low)) * (height - top - bottom);
  let pen = "M";
  let d = "";
  values.forEach((value, i) => {
    if (!(value > 0 && Number.isFinite(value))) {
      pen = "M";
      return;
    }
    d += `${pen}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = "L";
  });
  const stroke = `stroke="${colour}" stroke-width="2"${dashes === "" ? "" : ` stroke-dasharray="${dashes}"`}`;
  return {
    path: `<path d="${d}" fill="none" ${stroke}/>`,
    smallest: formatNumber(smallest, { digits: 2 }),
    largest: formatNumber(largest, { digits: 2 }),
  };
}
