/** A run of training and what was traced of its model → findings. */
import { judgeTraining } from "../findings/judgeTraining.ts";
import { limitsWith } from "../findings/limits.ts";
import { parameterPlace } from "../findings/parameterPlace.ts";
import type { SourcePlace, TrainedRun } from "../findings/trainedEvidence.ts";
import type { Finding } from "../protocol/report.ts";
import type { TrainRequest } from "../protocol/training.ts";
import { crossEntropyIn } from "../stats/targets.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import type { PreparedTraining } from "./prepareTraining.ts";
import { readerOf } from "./sources.ts";

export function trainingFindings(
  request: TrainRequest,
  { program, made }: TracedScript,
  prepared: PreparedTraining,
  ran: Pick<TrainedRun, "steps" | "end" | "reference">,
): Finding[] {
  const { structure, layout } = prepared;
  const sources = { report: program, textOf: readerOf(request.root) };
  return judgeTraining({
    run: {
      ...ran,
      layers: layout.layers,
      settings: request.training,
    },
    limits: limitsWith(request.limits),
    classes: crossEntropyIn(structure)?.classes ?? null,
    lossPlace: lossPlace(structure.nodes, new Set(made.files)),
    placeOf: (layer) => parameterPlace(sources, layer),
  });
}

/** The last call of the forward pass that stands in a file of the user's. */
function lossPlace(
  nodes: PreparedTraining["structure"]["nodes"],
  files: ReadonlySet<string>,
): SourcePlace {
  const last = nodes.findLast(({ origin }) => files.has(origin.call?.site.file ?? ""));
  const site = last?.origin.call?.site;
  return { file: site?.file ?? null, line: site?.line ?? null };
}
