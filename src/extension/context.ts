/** What every part of the extension works with. */
import type { ExtensionContext, LogOutputChannel } from "vscode";
import type { Engine } from "../client/engineClient.ts";
import type { Claims } from "./claims.ts";
import type { Numbers } from "./numbers.ts";
import type { Runs } from "./runs.ts";
import type { Sweeps } from "./sweeps.ts";
import type { Trainings } from "./trainings.ts";

export interface Ctx {
  readonly extension: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly runs: Runs;
  readonly trainings: Trainings;
  readonly sweeps: Sweeps;
  readonly claims: Claims;
  readonly numbers: Numbers;
  /** Started by the first call. */
  engine(): Engine;
  /** The next request starts another, with the libraries that are there by then. */
  restartEngine(): Promise<void>;
}
