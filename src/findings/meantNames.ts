/** Which parameters a text means that no comparison met. */

/** Shorter texts ("bias", "wte") are near to too much. */
const shortest = 5;

/** Names that hold one of the texts; else those that hold what differs from one by a letter or two. */
export function meantBy(texts: readonly string[], names: readonly string[]) {
  const held = texts.find((text) => names.some((name) => name.includes(text)));
  if (held !== undefined)
    return { text: held, names: names.filter((name) => texts.some((text) => name.includes(text))) };
  const pieces = [...new Set(names.flatMap(piecesOf))];
  for (const text of texts) {
    const piece = pieces.find((one) => isNear(one, text));
    if (piece !== undefined)
      return { text: piece, names: names.filter((it) => it.includes(piece)) };
  }
  return { text: "", names: [] };
}

/** "c_proj", "c_proj.weight", "attn.c_proj.weight" of "h.0.attn.c_proj.weight". */
function piecesOf(name: string): string[] {
  const parts = name.split(".");
  return parts.flatMap((part, at) => [part, parts.slice(at).join(".")]);
}

/** Letters left out or added, two at most, or in another order. */
export function isNear(a: string, b: string): boolean {
  const [short = "", long = ""] = [a.toLowerCase(), b.toLowerCase()].sort(
    (one, other) => one.length - other.length,
  );
  if (short.length < shortest || long.length - short.length > 2) return false;
  if (short.length === long.length) return [...short].sort().join() === [...long].sort().join();
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
