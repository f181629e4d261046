/** A title above a part of what a command writes. */
import type { Output } from "./output.ts";
import { printable } from "./textWidth.ts";

export const heading = (text: string, output: Output): string[] => [
  "",
  output.paint("strong", printable(text)),
  "",
];
