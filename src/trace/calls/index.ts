/** Every torch call, by family. */

export * from "./activation.ts";
export * from "./arithmetic.ts";
export * from "./attention.ts";
export * from "./compare.ts";
export * from "./copy.ts";
export * from "./create.ts";
export * from "./crossEntropy.ts";
export * from "./embedding.ts";
export * from "./indexing.ts";
export * from "./join.ts";
export * from "./linear.ts";
export * from "./matmul.ts";
export * from "./moments.ts";
export * from "./norm.ts";
export * from "./pointwise.ts";
export * from "./random.ts";
export * from "./rectifier.ts";
export * from "./reduce.ts";
export * from "./scatter.ts";
export * from "./select.ts";
export * from "./shape.ts";
export * from "./softmax.ts";
export * from "./windows.ts";
