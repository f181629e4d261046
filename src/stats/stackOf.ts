/** "layers" of "layers.0"; a block that is called again and again is its own stack. */
export const stackOf = ({ path }: { readonly path: string }): string =>
  path.replace(/(^|\.)\d+$/, "");
