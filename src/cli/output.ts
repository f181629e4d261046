/** A stream that people read: how wide it is, and whether colour may be used. */
import process from "node:process";
import { styleText } from "node:util";

export interface Output {
  readonly isTerminal: boolean;
  /** Characters a line; wide enough for every table where nobody sees a window. */
  readonly columns: number;
  write(text: string): void;
  paint(style: Style, text: string): string;
}

export type Style = "strong" | "dim" | "error" | "warning" | "good" | "accent";

const formats = {
  strong: "bold",
  dim: "dim",
  error: "red",
  warning: "yellow",
  good: "green",
  accent: "cyan",
} as const;

const columnsOfFiles = 120;

export function outputTo(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Output {
  const isTerminal = stream.isTTY === true;
  const hasColor = allowsColor(isTerminal, env);
  return {
    isTerminal,
    get columns() {
      return isTerminal ? Math.max(stream.columns, 40) : columnsOfFiles;
    },
    write: (text) => void stream.write(text),
    paint: (style, text) =>
      hasColor && text !== "" ? styleText(formats[style], text, { validateStream: false }) : text,
  };
}

/** https://no-color.org; FORCE_COLOR for pipes that end in a terminal. */
export function allowsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env["NO_COLOR"]) return false;
  if (env["FORCE_COLOR"]) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}

export const writeLines = (output: Output, lines: readonly string[]): void =>
  output.write(lines.map((line) => `${line}\n`).join(""));
