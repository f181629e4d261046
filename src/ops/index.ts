/** Every operator, one line each. */
export { add } from "./add.ts";
export { matMul } from "./matMul.ts";
export { reduceSum } from "./reduceSum.ts";
export { reshape } from "./reshape.ts";
export { softmax } from "./softmax.ts";
