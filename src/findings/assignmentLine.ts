/** Where a class sets an attribute. */

/**
 * The line of `text` on which the class at `line`, or else a base of it in the same file, sets
 * `self.name`. Lines are one-based; null: none of them does.
 */
export function assignmentLine(text: string, name: string, line: number): number | null {
  const lines = text.split("\n");
  const sets = new RegExp(`\\bself\\.${name}\\b[^=\\n]*=(?!=)`);
  const seen = new Set<number>();
  const pending = [line];
  for (let at = pending.shift(); at !== undefined; at = pending.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const body = lines.slice(at, endOf(lines, at));
    const offset = body.findIndex((each) => sets.test(each));
    if (offset !== -1) return at + offset + 1;
    pending.push(...basesOf(lines[at - 1] ?? "").flatMap((base) => linesOfClass(lines, base)));
  }
  return null;
}

/** The index of the first line that is no part of the class at `line` any more. */
function endOf(lines: readonly string[], line: number): number {
  const indent = indentOf(lines[line - 1] ?? "");
  const end = lines.findIndex(
    (each, i) => i >= line && /\S/.test(each) && indentOf(each) <= indent,
  );
  return end === -1 ? lines.length : end;
}

const indentOf = (line: string): number => line.search(/\S|$/);

const basesOf = (header: string): string[] =>
  (/^\s*class\s+\w+\s*\(([^)]*)/.exec(header)?.[1] ?? "").split(",").map((base) => base.trim());

function linesOfClass(lines: readonly string[], name: string): number[] {
  if (!/^\w+$/.test(name)) return [];
  const at = lines.findIndex((line) => new RegExp(`^\\s*class\\s+${name}\\b`).test(line));
  return at === -1 ? [] : [at + 1];
}
