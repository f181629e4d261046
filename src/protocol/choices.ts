/** What a user chooses a run's device and mode from; without imports, so that web pages can too. */

export const devices = ["auto", "cuda", "webgpu", "dml", "coreml", "cpu"] as const;
export type Device = (typeof devices)[number];

export const modes = ["eval", "train"] as const;
export type Mode = (typeof modes)[number];
