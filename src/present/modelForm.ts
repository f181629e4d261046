/** The fields of a model's constructor, as a form shows them. */
import type { FormField } from "../protocol/webview.ts";
import { literals } from "./counterpart.ts";
import type { ClassOutline, ParameterOutline, PythonOutline } from "./pythonOutline.ts";

/** The arguments of the constructor; of a config class, its fields in place of the argument. */
export function formFields(outline: PythonOutline, model: ClassOutline): FormField[] {
  return model.parameters.flatMap((parameter) => {
    const config = configClass(outline, parameter);
    return (config?.fields ?? [parameter]).map(field);
  });
}

/** Whether nothing has to be given by hand, as far as the file tells. */
export const isRunnable = (outline: PythonOutline, model: ClassOutline): boolean =>
  model.parameters.every((parameter) => !isModuleParameter(outline, parameter));

/** A dataclass of this file that the parameter is annotated with. */
function configClass(
  outline: PythonOutline,
  { annotation }: ParameterOutline,
): ClassOutline | null {
  const name = annotation?.replace(/\s*\|\s*None$/, "").replace(/^["'](.*)["']$/, "$1");
  const found = outline.classes.find((it) => it.name === name && !it.isModule);
  return found === undefined || found.fields.length === 0 ? null : found;
}

function field({ name, annotation, value }: ParameterOutline): FormField {
  const choices = annotation === "bool" ? ["True", "False"] : literals(annotation);
  return { name, annotation, default: value, choices };
}

/** An argument that must be a module: `attn: nn.Module`, `attn: CausalSelfAttention`. */
function isModuleParameter(
  outline: PythonOutline,
  { annotation, value }: ParameterOutline,
): boolean {
  if (value !== null || annotation === null) return false;
  const isOfThisFile = outline.classes.some((it) => it.isModule && it.name === annotation);
  return isOfThisFile || /(?:^|\.)Module(?:List|Dict)?$/.test(annotation);
}
