/**
 * The cases of every operator: one at least for each attribute form, one for each awkward point.
 */
import { activation } from "./cases/activation.ts";
import { arithmetic } from "./cases/arithmetic.ts";
import { logic } from "./cases/logic.ts";
import { movement } from "./cases/movement.ts";
import { rectifiers } from "./cases/rectifiers.ts";
import { reduction } from "./cases/reduction.ts";
import { spatial } from "./cases/spatial.ts";
import type { OpCase } from "./opCase.ts";

export const cases: Readonly<Record<string, readonly OpCase[]>> = {
  ...arithmetic,
  ...activation,
  ...rectifiers,
  ...logic,
  ...reduction,
  ...movement,
  ...spatial,
};
