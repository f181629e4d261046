/** SentencePiece's compiled table of replacements: a double-array trie, then the texts it leads to. */
import { tokenizerUnsupported } from "../errors.ts";

/** Above this many bytes a grapheme is looked up character by character. */
const longestGrapheme = 5;

export function charsMapReplacer(base64: string): (text: string) => string {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length < 4) throw tokenizerUnsupported("an empty table of characters");
  const trieBytes = bytes.readUInt32LE(0);
  if (4 + trieBytes > bytes.length) throw tokenizerUnsupported("a damaged table of characters");
  const units = Uint32Array.from({ length: trieBytes / 4 }, (_, i) =>
    bytes.readUInt32LE(4 + 4 * i),
  );
  const texts = bytes.subarray(4 + trieBytes);
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

  /** Where the replacement of the shortest prefix in the table begins. */
  function find(key: Uint8Array): number | null {
    let node = offsetOf(units[0] ?? 0);
    for (const byte of key) {
      node ^= byte;
      const unit = units[node] ?? 0;
      if ((unit & 0x800000ff) >>> 0 !== byte) return null;
      node ^= offsetOf(unit);
      if ((unit >>> 8) & 1) return (units[node] ?? 0) & 0x7fffffff;
    }
    return null;
  }

  function replaced(part: string): string | null {
    const at = find(Buffer.from(part));
    if (at === null) return null;
    return texts.subarray(at, texts.indexOf(0, at)).toString();
  }

  return (text) => {
    let out = "";
    for (const { segment } of segmenter.segment(text)) {
      const whole = Buffer.byteLength(segment) <= longestGrapheme ? replaced(segment) : null;
      out += whole ?? Array.from(segment, (character) => replaced(character) ?? character).join("");
    }
    return out;
  };
}

const offsetOf = (unit: number): number => ((unit >>> 10) << ((unit & 0x200) >>> 6)) >>> 0;
