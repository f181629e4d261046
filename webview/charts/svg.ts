/** Pieces of an SVG file. Text and attributes are escaped here and nowhere else. */
import { escapeHtml } from "../../src/present/html/escape.ts";

export type Attributes = Readonly<Record<string, string | number>>;

export function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes).map(
    ([key, it]) => ` ${key}="${escapeHtml(text(it))}"`,
  );
  const open = `<${name}${written.join("")}`;
  return children.length === 0 ? `${open}/>` : `${open}>${children.join("")}</${name}>`;
}

export const label = (words: string, attributes: Attributes): string =>
  tag("text", attributes, escapeHtml(words));

/** A whole file. The sizes are its units and its pixels. */
export const svgFile = (
  { width, height, font, paper }: { width: number; height: number; font: string; paper: string },
  ...children: readonly string[]
): string =>
  tag(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": font,
      "font-size": 12,
    },
    tag("rect", { width, height, fill: paper }),
    ...children,
  );

const text = (it: string | number): string =>
  typeof it === "number" ? String(Math.round(it * 10) / 10) : it;
