/** The sizes that a model is run with, as far as its file tells without being run. */
import { formFields } from "./modelForm.ts";
import type { PythonOutline } from "./pythonOutline.ts";

const longest = 48;

/**
 * "n_layers=12, d_model=128": whole numbers among the arguments, in their order, as many as fit on a
 * lens. `set` goes before defaults. null: the file has no such class, or it takes none.
 */
export function runSizes(
  outline: PythonOutline,
  entry: string,
  set: Readonly<Record<string, string>>,
): string | null {
  const model = outline.classes.find(({ name }) => name === entry);
  if (model === undefined) return null;
  const sizes = formFields(outline, model).flatMap(({ name, default: value }) => {
    const given = set[name] ?? value ?? "";
    return /^\d[\d_]*$/.test(given) ? [`${name}=${given}`] : [];
  });
  let text = "";
  for (const [at, size] of sizes.entries()) {
    const next = text === "" ? size : `${text}, ${size}`;
    const isLast = at === sizes.length - 1;
    if (next.length + (isLast ? 0 : 3) > longest) return text === "" ? null : `${text}, …`;
    text = next;
  }
  return text === "" ? null : text;
}
