/** What the user's code has printed, with the lines that printed it. */
import { relative } from "node:path";
import type { Printed } from "../errors.ts";
import type { PythonInstance } from "./python/boot.ts";
import { fromPythonPath } from "./python/paths.ts";

type Row = readonly [
  stream: Printed["stream"],
  file: string | null,
  line: number | null,
  text: string,
];

/** Empty where Python can say no more. Files are named from `root`. */
export function printedIn(python: PythonInstance, root: string): Printed[] {
  const result = python.call("normscope_boot.printed", "rows");
  if (!result.ok) return [];
  const rows: readonly Row[] = JSON.parse(result.value as string);
  return rows.map(([stream, path, line, text]) => {
    const file = path === null ? null : relative(root, fromPythonPath(path));
    return { stream, file: file?.replaceAll("\\", "/") ?? null, line, text };
  });
}
