/** Where a graph can run. */

/** ONNX Runtime's execution providers that are offered. */
export type Provider = "cpu" | "cuda" | "webgpu" | "dml" | "coreml";

/** What a user may ask for: a provider, or the best one that works. */
export type Device = Provider | "auto";

export const devices: readonly Device[] = ["auto", "cuda", "webgpu", "dml", "coreml", "cpu"];
