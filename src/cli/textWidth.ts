/** How much room text takes in a terminal. */

/** Characters that take two columns: East Asian wide forms and most pictographs. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Characters that take none: combining marks and joiners. */
const zero = /\p{Mn}|\p{Me}|\u200b|\u200c|\u200d/u;

/** Columns of a text without control characters. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

function widthOf(character: string): number {
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The text, or its beginning and `…`, in at most `columns`. */
export function truncate(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let used = 1;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The text in lines of at most `columns`, broken between words where that is possible. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    if (displayWidth((line + word).trimEnd()) <= columns) line += word;
    else {
      if (line !== "") lines.push(line.trimEnd());
      line = word;
      while (displayWidth(line.trimEnd()) > columns) {
        const head = truncate(line, columns + 1).slice(0, -1);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
  }
  return [...lines, line.trimEnd()];
}

export function pad(text: string, columns: number, align: "left" | "right" | "center"): string {
  const room = Math.max(columns - displayWidth(text), 0);
  if (align === "right") return " ".repeat(room) + text;
  if (align === "left") return text + " ".repeat(room);
  const left = Math.floor(room / 2);
  return " ".repeat(left) + text + " ".repeat(room - left);
}

/** Text of a user's file or names: tabs become spaces, control characters lose their effect. */
export const printable = (text: string): string =>
  text.replaceAll("\t", "    ").replaceAll(/\p{Cc}/gu, "\ufffd");
