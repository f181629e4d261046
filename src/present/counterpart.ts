/** The same model with its norms in the other place: in this file, in a file beside it, or by an argument. */
import type { ClassOutline, PythonOutline } from "./pythonOutline.ts";

/** How one placement is run, and how the other. */
export type Counterpart =
  | { readonly kind: "class"; readonly entry: string; readonly placements: Placements }
  /** `file` is a name in the folder of the model. */
  | {
      readonly kind: "file";
      readonly file: string;
      readonly entry: string;
      readonly placements: Placements;
    }
  /** An argument that switches; values are Python literals. */
  | {
      readonly kind: "argument";
      readonly name: string;
      readonly pre: string;
      readonly post: string;
    };

/** What the model that was asked for is, and what its counterpart is. */
export interface Placements {
  readonly own: Placement;
  readonly other: Placement;
}
export type Placement = "Pre-LN" | "Post-LN";

/** `siblings` are the names of the Python files in the folder of `file`. */
export function counterpart(
  outline: PythonOutline,
  entry: string,
  file: string,
  siblings: readonly string[],
): Counterpart | null {
  const model = outline.classes.find(({ name }) => name === entry);
  if (model === undefined) return null;
  const switching = switchingArgument(model);
  if (switching !== null) return switching;
  const other = swapped(entry);
  if (other === null) return null;
  if (outline.classes.some(({ name }) => name === other.name)) {
    return { kind: "class", entry: other.name, placements: other.placements };
  }
  const otherFile = swapped(file);
  if (otherFile === null || !siblings.includes(otherFile.name)) return null;
  return {
    kind: "file",
    file: otherFile.name,
    entry: other.name,
    placements: other.placements,
  };
}

/** "PostLNBlock" of "PreLNBlock"; null of a name that tells no placement. */
function swapped(name: string): { name: string; placements: Placements } | null {
  const found = /pre(?=[-_]?(?:ln|norm|layer|rms))/i.exec(name);
  if (found !== null) {
    const placements = { own: "Pre-LN", other: "Post-LN" } as const;
    return { name: replaced(name, found, { pre: "post", Pre: "Post", PRE: "POST" }), placements };
  }
  const post = /post(?=[-_]?(?:ln|norm|layer|rms))/i.exec(name);
  if (post === null) return null;
  const placements = { own: "Post-LN", other: "Pre-LN" } as const;
  return { name: replaced(name, post, { post: "pre", Post: "Pre", POST: "PRE" }), placements };
}

function replaced(
  name: string,
  found: RegExpExecArray,
  words: Readonly<Record<string, string>>,
): string {
  const end = found.index + found[0].length;
  return name.slice(0, found.index) + (words[found[0]] ?? found[0]) + name.slice(end);
}

/** `norm_first=True`, `pre_norm: bool`, `placement: Literal["pre", "post"]`. */
function switchingArgument({ parameters }: ClassOutline): Counterpart | null {
  for (const { name, annotation, value } of parameters) {
    const isBoolean = annotation === "bool" || value === "True" || value === "False";
    if (
      isBoolean &&
      /^(?:norm_first|pre_?(?:ln|norm|layer_?norm)|is_pre(?:_?ln|_?norm)?)$/i.test(name)
    ) {
      return { kind: "argument", name, pre: "True", post: "False" };
    }
    if (isBoolean && /^post_?(?:ln|norm|layer_?norm)$/i.test(name)) {
      return { kind: "argument", name, pre: "False", post: "True" };
    }
    const choices = literals(annotation);
    const pre = choices.find((choice) => /^.pre[\W_]*(?:ln|norm)?.$/i.test(choice));
    const post = choices.find((choice) => /^.post[\W_]*(?:ln|norm)?.$/i.test(choice));
    if (pre !== undefined && post !== undefined) return { kind: "argument", name, pre, post };
  }
  return null;
}

/** The choices of `Literal["a", "b"]` as Python source; empty of any other annotation. */
export function literals(annotation: string | null): string[] {
  const inner = /^(?:\w+\.)?Literal\[(.*)\]$/s.exec(annotation ?? "")?.[1];
  return inner?.match(/"[^"]*"|'[^']*'|[^\s,]+/g)?.map((part) => part.trim()) ?? [];
}
