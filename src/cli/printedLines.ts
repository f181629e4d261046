/** What a model's file printed, with the lines that printed it, for the terminal. */
import type { Printed } from "../errors.ts";
import { printedText } from "../present/printed.ts";
import { heading } from "./heading.ts";
import type { Output } from "./output.ts";
import { displayWidth, pad, printable } from "./textWidth.ts";

/** A model that prints in each layer must not push the numbers out of sight. */
const printedLimit = 40;

export function printedLines(title: string, printed: readonly Printed[], output: Output): string[] {
  if (printed.length === 0) return [];
  const { lines, left } = printedText(printed, printedLimit);
  const width = Math.max(...lines.map(({ place }) => displayWidth(place)));
  return [
    ...heading(title, output),
    ...lines.map(
      ({ place, text }) =>
        `${output.paint("dim", pad(printable(place), width, "left"))}  ${printable(text)}`,
    ),
    ...(left === 0 ? [] : [output.paint("dim", `… and ${left} more lines (--json writes all)`)]),
  ];
}
