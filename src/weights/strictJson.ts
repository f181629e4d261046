/** JSON in which no object names a key twice: JSON.parse would keep the last and say nothing. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = ReadonlyMap<string, Json>;

/** Throws SyntaxError with what is wrong. */
export function parseStrictJson(text: string): Json {
  let at = 0;
  const fail = (what: string): SyntaxError => new SyntaxError(`${what} at character ${at}`);
  const space = /[ \t\n\r]*/y;
  const token = /"(?:[^"\\\p{Cc}]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

  function skip(): void {
    space.lastIndex = at;
    space.exec(text);
    at = space.lastIndex;
  }

  function take(character: string): boolean {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  }

  function expect(character: string): void {
    if (!take(character)) throw fail(`'${character}' is missing`);
  }

  function scalar(): Json {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) throw fail("there is no value");
    at = token.lastIndex;
    return JSON.parse(found) as Json;
  }

  function key(): string {
    skip();
    const found = scalar();
    if (typeof found !== "string") throw fail("a key is no text");
    return found;
  }

  function object(depth: number): JsonObject {
    const entries = new Map<string, Json>();
    if (take("}")) return entries;
    do {
      const name = key();
      if (entries.has(name)) throw fail(`the key '${name}' stands twice`);
      expect(":");
      entries.set(name, value(depth));
    } while (take(","));
    expect("}");
    return entries;
  }

  function array(depth: number): Json[] {
    const items: Json[] = [];
    if (take("]")) return items;
    do items.push(value(depth));
    while (take(","));
    expect("]");
    return items;
  }

  function value(depth: number): Json {
    if (depth > depthLimit) throw fail("values are nested too deep");
    if (take("{")) return object(depth + 1);
    if (take("[")) return array(depth + 1);
    return scalar();
  }

  const parsed = value(0);
  skip();
  if (at < text.length) throw fail("there is more after the value");
  return parsed;
}

const depthLimit = 100;
