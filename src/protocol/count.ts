/** What `normscope models --count` asks: how many parameters models have, made without memory. */

export interface CountRequest {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly models: readonly CountedModel[];
}

export interface CountedModel {
  /** Path below `root`, with forward slashes. */
  readonly file: string;
  /** Class to construct. */
  readonly entry: string;
  /** Constructor arguments as Python literals: one number each. */
  readonly sets: readonly Readonly<Record<string, string>>[];
}

/** By model, by set of arguments; a parameter under several names counts once. */
export type CountReport = readonly (readonly number[])[];
