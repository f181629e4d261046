/** Which lenses stand over which lines: known from the text alone, so that the code never jumps. */
import type { Counterpart } from "../present/counterpart.ts";
import { isRunnable } from "../present/modelForm.ts";
import { type ClassOutline, type PythonOutline, runnableClass } from "../present/pythonOutline.ts";

export const lensKinds = ["run", "script", "compare", "export", "numbers"] as const;
export type LensKind = (typeof lensKinds)[number];

export interface PlannedLens {
  /** One-based. */
  readonly line: number;
  readonly kind: LensKind;
  /** The class over which it stands; null over the `build` of a script. */
  readonly over: string | null;
  /** The class that it runs, or null for the script. */
  readonly entry: string | null;
}

export interface LensPlanOptions {
  readonly shown: Readonly<Record<LensKind, boolean>>;
  readonly counterpartOf: (entry: string) => Counterpart | null;
}

export function lensPlan(outline: PythonOutline, options: LensPlanOptions): PlannedLens[] {
  const lenses = [
    ...scriptLenses(outline),
    ...outline.classes
      .filter(({ isModule }) => isModule)
      .flatMap((it) => classLenses(outline, it, options)),
  ];
  return lenses.filter(({ kind }) => options.shown[kind]);
}

function scriptLenses({ scriptLine }: PythonOutline): PlannedLens[] {
  if (scriptLine === null) return [];
  return (["run", "export"] as const).map((kind) => ({
    line: scriptLine,
    kind,
    over: null,
    entry: null,
  }));
}

function classLenses(
  outline: PythonOutline,
  it: ClassOutline,
  { counterpartOf }: LensPlanOptions,
): PlannedLens[] {
  const lens = (kind: LensKind, entry: string): PlannedLens => ({
    line: it.line,
    kind,
    over: it.name,
    entry,
  });
  if (!isRunnable(outline, it)) {
    // It takes another module, so it is measured as a part of the model.
    const model = runnableClass(outline);
    const how = model === null ? lens("script", it.name) : lens("run", model.name);
    return [how, lens("numbers", it.name)];
  }
  const isModel = it.parameters.every(({ value }) => value !== null) || takesConfig(outline, it);
  return [
    lens("run", it.name),
    ...(counterpartOf(it.name) === null || !isModel ? [] : [lens("compare", it.name)]),
    ...(isModel ? [lens("export", it.name)] : []),
    lens("numbers", it.name),
  ];
}

/** Its only argument without a default is a config class of this file. */
const takesConfig = (outline: PythonOutline, { parameters }: ClassOutline): boolean =>
  parameters
    .filter(({ value }) => value === null)
    .every(({ annotation }) =>
      outline.classes.some((it) => it.name === annotation && it.fields.length > 0),
    );
