/** What a Python file defines, read without running it: for lists and hints, never for numbers. */

export interface PythonOutline {
  /** First sentence of the file's docstring, or "". */
  readonly summary: string;
  readonly classes: readonly ClassOutline[];
}

export interface ClassOutline {
  readonly name: string;
  /** One-based. */
  readonly line: number;
  readonly summary: string;
  /** Parameters of `__init__` after self; `value` is null where there is no default. */
  readonly parameters: readonly { readonly name: string; readonly value: string | null }[];
}

export function pythonOutline(source: string): PythonOutline {
  const starts = [...source.matchAll(/^class\s+(\w+)[^\n]*:/gm)];
  return {
    summary: firstSentence(/^\s*(?:#[^\n]*\n\s*)*[rR]?"""([\s\S]*?)"""/.exec(source)?.[1]),
    classes: starts.map((start, i) => {
      const body = source.slice(start.index, starts[i + 1]?.index ?? source.length);
      return {
        name: start[1] ?? "",
        line: source.slice(0, start.index).split("\n").length,
        summary: firstSentence(/^[^\n]*\n\s*[rR]?"""([\s\S]*?)"""/.exec(body)?.[1]),
        parameters: parametersOfInit(body),
      };
    }),
  };
}

/** The class that a user runs: the last one that can be made without an argument. */
export function runnableClass(outline: PythonOutline): ClassOutline | null {
  return (
    outline.classes.findLast(
      ({ parameters }) => parameters.length > 0 && parameters.every(({ value }) => value !== null),
    ) ?? null
  );
}

const firstSentence = (docstring = ""): string => {
  const [paragraph = ""] = docstring.trim().split(/\n\s*\n/);
  const text = paragraph.replaceAll(/\s+/g, " ").trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
};

function parametersOfInit(body: string): ClassOutline["parameters"] {
  const start = /def\s+__init__\s*\(/.exec(body);
  if (start === null) return [];
  return splitAtCommas(body.slice(start.index + start[0].length))
    .map((text) => text.replaceAll(/#[^\n]*/g, "").trim())
    .filter((text) => text !== "" && !/^(self\b|\*|\/)/.test(text))
    .map((text) => {
      const [, name = text, value = null] =
        /^(\w+)\s*(?::[^=]*?)?(?:=\s*([\s\S]*))?$/.exec(text) ?? [];
      return { name, value };
    });
}

/** The parts of a parameter list, up to the bracket that closes it. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    if (depth < 0 || (depth === 0 && character === ",")) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
    if (depth < 0) break;
  }
  return parts;
}
