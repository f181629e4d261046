/** What Python asks of the token file that the request names. */
import { invariant, tokenOutOfRange } from "../errors.ts";
import { allocate } from "../graph/tensor.ts";
import { openTokens } from "../tokens/tokenSource.ts";
import type { Session } from "./session.ts";

export function tokenFunctions({ store, tokens }: Session) {
  return {
    /** "bytes 1115394": what the ids are, and how many. */
    open_tokens(): string {
      const { given } = tokens;
      invariant(given, "the request names a token file");
      const opened = openTokens(given.file, given.tokenizer);
      tokens.opened = opened;
      return `${opened.kind} ${opened.count}`;
    },
    /** int64 [starts, length]; `below` is the vocabulary, 0 where it is not known. */
    token_windows(starts: string, length: number, below: number): number {
      const { given, opened } = tokens;
      invariant(given && opened, "a token file is open");
      const rows = starts.split(",").map(Number);
      const ids = allocate("int64", rows.length * length);
      rows.forEach((start, row) => {
        const window = opened.read(start, length);
        const at = window.findIndex((id) => id < 0 || (below > 0 && id >= below));
        if (at >= 0) throw tokenOutOfRange(given.file, window[at] ?? 0, start + at, below);
        ids.set(window, row * length);
      });
      const type = { dtype: "int64", isComplex: false } as const;
      return store.fromNumbers(type, [rows.length, length], ids).id;
    },
  };
}
