/** The optimisers, by name: each for one parameter. */
import type { Value } from "../../graph/graph.ts";
import type { OptimizerName, OptimizerSettings } from "../../protocol/training.ts";
import type { ParameterRole } from "../parameterRoles.ts";
import { adafactor } from "./adafactor.ts";
import { adam, adamw } from "./adam.ts";
import { lion } from "./lion.ts";
import { muon } from "./muon.ts";
import type { Optimiser } from "./optimiser.ts";
import { sgd } from "./sgd.ts";

export type { Optimiser } from "./optimiser.ts";

interface Of {
  readonly role: ParameterRole;
  readonly value: Value;
}

export const optimisers: Readonly<
  Record<OptimizerName, (settings: OptimizerSettings, of: Of) => Optimiser>
> = {
  sgd,
  adam,
  adamw,
  adafactor,
  lion,
  muon: (settings, { role, value }) => muon(settings, role, value.shape),
};
