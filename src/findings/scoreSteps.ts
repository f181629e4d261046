/** What stands between a product of queries and keys, softmax, and the product with the values. */

/** Scales, masks, biases and dropout. */
export const scoreSteps: ReadonlySet<string> = new Set([
  ...["Mul", "Div", "Where", "Cast", "Identity", "Add", "Reshape", "Transpose"],
]);
