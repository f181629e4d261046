/** Every torch call, by family. */
export * from "./arithmetic.ts";
export * from "./compare.ts";
export * from "./copy.ts";
export * from "./create.ts";
export * from "./indexing.ts";
export * from "./join.ts";
export * from "./pointwise.ts";
export * from "./shape.ts";
export * from "./random.ts";
