/** Converts a text in a loaded Python without running it: see python/normscope_rewrite. */
import { pythonRaised } from "../errors.ts";
import type { PythonInstance } from "./python/boot.ts";
import type { Plain } from "./python/plain.ts";

export interface RewriteWork {
  readonly text: string;
  readonly entry: string | null;
  readonly to: string;
}

/** Plain data: what `rewrite` gives. */
export function rewriteText(python: PythonInstance, { text, entry, to }: RewriteWork): Plain {
  const result = python.call("normscope_rewrite", "rewrite", text, entry, to);
  if (result.ok) return result.value;
  throw pythonRaised(result.error, null);
}
