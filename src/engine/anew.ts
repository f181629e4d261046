/** Which models have a graph of their own for every step. */
import type { TrainRequest } from "../protocol/training.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { dependsOnData } from "../train/errors.ts";

/** Whether one graph does not do for every step. Throws where it is needed and cannot be had. */
export function isTracedAnew(
  { training }: Pick<TrainRequest, "training">,
  { looks, edited, again }: TracedScript,
): boolean {
  const [look] = looks;
  const canBe = again !== null && training.accumulate === 1;
  if (look !== undefined && !canBe) throw dependsOnData(look);
  return canBe && (look !== undefined || edited.length > 0 || training.retrace === true);
}
