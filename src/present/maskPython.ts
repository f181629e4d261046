/**
 * A Python source with its comments and the insides of its strings as spaces: of equal length, with the
 * same line ends, so that a place in one is the same place in the other. What is left is code.
 */
export function maskPython(source: string): string {
  let masked = "";
  let from = 0;
  while (from < source.length) {
    const start = nextOpening(source, from);
    if (start < 0) break;
    const end = endOfHidden(source, start);
    masked += source.slice(from, start) + blank(source.slice(start, end));
    from = end;
  }
  return masked + source.slice(from);
}

function nextOpening(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    const character = source[i];
    if (character === "#" || character === '"' || character === "'") return i;
  }
  return -1;
}

/** Where the comment or string that opens at `start` ends; a string that stays open ends its line. */
function endOfHidden(source: string, start: number): number {
  const quote = source.charAt(start);
  if (quote === "#") return endOfLine(source, start);
  const isTriple = source.startsWith(quote.repeat(3), start);
  const closing = isTriple ? quote.repeat(3) : quote;
  for (let i = start + closing.length; i < source.length; i++) {
    if (source[i] === "\\") i++;
    else if (source.startsWith(closing, i)) return i + closing.length;
    else if (source[i] === "\n" && !isTriple) return i;
  }
  return source.length;
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
}

/** Spaces for all but line ends and quotes: where a string stands can still be seen. */
const blank = (text: string): string =>
  text.startsWith("#") ? " ".repeat(text.length) : text.replaceAll(/[^\r\n"']/g, " ");
