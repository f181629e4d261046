/** Two texts as a unified diff: what changed, with a few lines around it. */

const around = 3;

type Line = { readonly kind: " " | "-" | "+"; readonly text: string };

/** Empty where the texts are equal. */
export function unifiedDiff(before: string, after: string, name: string): string[] {
  const lines = align(before.split("\n"), after.split("\n"));
  const hunks = hunksOf(lines);
  return hunks.length === 0 ? [] : [`--- ${name}`, `+++ ${name}`, ...hunks.flat()];
}

/** Lines [start, end) of a text, zero-based, and what stands in their place. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What turns one text into the other, line by line. */
export function lineEdits(before: string, after: string): LineEdit[] {
  const edits: { start: number; end: number; text: string }[] = [];
  let at = 0;
  for (const { kind, text } of align(before.split("\n"), after.split("\n"))) {
    const last = edits.at(-1);
    const edit = last?.end === at ? last : { start: at, end: at, text: "" };
    if (kind !== " " && edit !== last) edits.push(edit);
    if (kind === "+") edit.text += `${text}\n`;
    if (kind !== "+") at++;
    if (kind === "-") edit.end = at;
  }
  return edits;
}

/** Common ends are cut off; between them, the longest common subsequence. */
function align(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end))
    end++;
  const kept = (lines: readonly string[]): Line[] => lines.map((text) => ({ kind: " ", text }));
  return [
    ...kept(a.slice(0, start)),
    ...alignMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...kept(a.slice(a.length - end)),
  ];
}

function alignMiddle(a: readonly string[], b: readonly string[]): Line[] {
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] =
        a[i] === b[j]
          ? 1 + (longest[(i + 1) * width + j + 1] ?? 0)
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [text, other] = [a[i], b[j]];
    if (text !== undefined && text === other) {
      lines.push({ kind: " ", text });
      i++;
      j++;
      continue;
    }
    const down = longest[(i + 1) * width + j] ?? 0;
    const right = longest[i * width + j + 1] ?? 0;
    if (text !== undefined && (other === undefined || down >= right)) {
      lines.push({ kind: "-", text });
      i++;
    } else {
      lines.push({ kind: "+", text: other ?? "" });
      j++;
    }
  }
  return lines;
}

function hunksOf(lines: readonly Line[]): string[][] {
  const changed = lines.flatMap(({ kind }, i) => (kind === " " ? [] : [i]));
  const ranges: { from: number; to: number }[] = [];
  for (const at of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && at - around <= last.to) last.to = at + around + 1;
    else ranges.push({ from: Math.max(0, at - around), to: at + around + 1 });
  }
  return ranges.map(({ from, to }) => {
    const shown = lines.slice(from, to);
    const before = lines.slice(0, from);
    const count = (part: readonly Line[], side: "-" | "+") =>
      part.filter(({ kind }) => kind === " " || kind === side).length;
    const range = (side: "-" | "+") => `${count(before, side) + 1},${count(shown, side)}`;
    return [
      `@@ -${range("-")} +${range("+")} @@`,
      ...shown.map(({ kind, text }) => `${kind}${text}`),
    ];
  });
}
