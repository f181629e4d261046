/** The cases of every operator: one at least for each attribute form, one for each awkward point. */
import { activation } from "./cases/activation.ts";
import { arithmetic } from "./cases/arithmetic.ts";
import { logic } from "./cases/logic.ts";
import { movement } from "./cases/movement.ts";
import { reduction } from "./cases/reduction.ts";
import type { OpCase } from "./opCase.ts";

export const cases: Readonly<Record<string, readonly OpCase[]>> = {
  ...arithmetic,
  ...activation,
  ...logic,
  ...movement,
  ...reduction,
};
