/** A histogram as an SVG file. */
import { type Bar, powerText } from "../model/histogramBars.ts";
import type { ChartColours } from "../ui/theme.ts";
import { label, svgFile, tag } from "./svg.ts";

const frame = { width: 720, height: 320, left: 20, right: 700, top: 40, bottom: 280 } as const;

export function histogramPicture(
  title: string,
  bars: readonly Bar[],
  colours: ChartColours,
): string {
  const largest = Math.max(1, ...bars.map(({ count }) => count));
  const step = (frame.right - frame.left) / bars.length;
  const drawn = bars.flatMap(({ count, sign, exponent }, i) => {
    const size = (count / largest) * (frame.bottom - frame.top);
    const colour = sign === 0 ? colours.soft : colours.lines[sign < 0 ? 1 : 0];
    const x = frame.left + i * step;
    const bar = tag("rect", {
      x,
      y: frame.bottom - size,
      width: Math.max(1, step - 1),
      height: size,
      fill: colour ?? colours.ink,
    });
    if (!isLabelled(bars, i, step)) return [bar];
    const middle = { x: x + step / 2, y: frame.bottom + 18, "text-anchor": "middle" };
    return [bar, label(powerText(sign, exponent), { ...middle, fill: colours.soft })];
  });
  return svgFile(
    { ...frame, font: colours.font, paper: colours.paper },
    label(title, { x: frame.left, y: 24, "font-size": 15, fill: colours.ink }),
    ...drawn,
  );
}

/** About as many labels as fit, counted from the zeros so that these have theirs. */
export function isLabelled(bars: readonly Bar[], i: number, step: number): boolean {
  const zero = bars.findIndex(({ exponent }) => exponent === null);
  return (i - zero) % Math.max(1, Math.ceil(44 / step)) === 0;
}
