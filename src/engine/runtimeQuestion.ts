/** What the tracer's worker asks of the runtime's, and is answered. */
import type { EncodedModel } from "../graph/encode.ts";
import type { HostArray } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { DeviceInfo, MemoryReport } from "../protocol/report.ts";
import type { Moments } from "../stats/moments.ts";
import type { Fill } from "./fillParameters.ts";
import type { MemoryQuestion } from "./memoryCheck.ts";

export type RuntimeQuestion = FillQuestion | RunQuestion | EstimateQuestion;

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
  /** Whether the tracer works beside it and needs a processor more than it does (see shortRuns.ts). */
  readonly isShort?: boolean;
  /** What it will hold, to be checked before; absent: small beside what was checked. */
  readonly memory?: MemoryQuestion;
}

/** What there is for a run on a device; answered by a MemoryEstimate. */
export interface EstimateQuestion {
  readonly kind: "estimate";
  readonly device: Device;
  readonly memory: MemoryQuestion;
}

export interface RuntimeAnswer {
  readonly results: ReadonlyMap<number, HostArray>;
  /** Of what was filled, by value id. */
  readonly filled: ReadonlyMap<number, Moments>;
  readonly device: DeviceInfo;
  /** null: it was not checked. */
  readonly memory: MemoryReport | null;
  readonly sessionMs: number;
  readonly runMs: number;
}
