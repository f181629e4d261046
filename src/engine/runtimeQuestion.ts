/** What the tracer's worker asks of the runtime's, and is answered. */
import type { EncodedModel } from "../graph/encode.ts";
import type { HostArray } from "../graph/tensor.ts";
import type { Device } from "../protocol/engine.ts";
import type { DeviceInfo } from "../protocol/report.ts";

export interface RuntimeQuestion {
  readonly model: EncodedModel;
  readonly device: Device;
}

export interface RuntimeAnswer {
  readonly results: ReadonlyMap<number, HostArray>;
  readonly device: DeviceInfo;
  readonly sessionMs: number;
  readonly runMs: number;
}
