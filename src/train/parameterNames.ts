/** What the name of a parameter says of it. */

/** A table that tokens or positions are looked up in. */
export const isEmbedding = (name: string): boolean =>
  /(^|[._])(emb\w*|\w+_emb\w*|wte|wpe|tok|tokens?|pos|positions?|pe)([._]|$)/i.test(name);
