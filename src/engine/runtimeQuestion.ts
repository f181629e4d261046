/** What the tracer's worker asks of the runtime's, and is answered. */
import type { EncodedModel } from "../graph/encode.ts";
import type { HostArray } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { DeviceInfo } from "../protocol/report.ts";
import type { Moments } from "../stats/moments.ts";
import type { Fill } from "./fillParameters.ts";

export type RuntimeQuestion = FillQuestion | RunQuestion;

/** Starts filling what later runs are fed; answered at once, by null. */
export interface FillQuestion {
  readonly kind: "fill";
  readonly fills: readonly Fill[];
}

/** `model.fed` has no numbers for what was filled. */
export interface RunQuestion {
  readonly kind: "run";
  readonly model: EncodedModel;
  readonly device: Device;
}

export interface RuntimeAnswer {
  readonly results: ReadonlyMap<number, HostArray>;
  /** Of what was filled, by value id. */
  readonly filled: ReadonlyMap<number, Moments>;
  readonly device: DeviceInfo;
  readonly sessionMs: number;
  readonly runMs: number;
}
