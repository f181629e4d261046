/** What a run of training leaves. */
import type { DeviceInfo } from "../protocol/report.ts";
import type { TrainEnd, TrainReport, TrainRequest } from "../protocol/training.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import { isTracedAnew } from "./anew.ts";
import type { PreparedTraining } from "./prepareTraining.ts";
import { trainingFindings } from "./trainingFindings.ts";

export interface RanTraining
  extends Pick<TrainReport, "steps" | "parameterGradients" | "timing" | "notes"> {
  readonly end: TrainEnd;
  readonly device: DeviceInfo;
  readonly version: string;
}

export function trainReport(
  request: TrainRequest,
  traced: TracedScript,
  prepared: PreparedTraining,
  ran: RanTraining,
): TrainReport {
  const { program, made } = traced;
  const { layout, blocks, sha256, nodes } = prepared;
  const { file, entry, set: args, seed, training } = request;
  const { mode } = program;
  const reference = referenceOf(prepared);
  return {
    schema: 1,
    normscope: ran.version,
    source: { file, entry, args, seed, mode },
    settings: training,
    plan: made.plan,
    lossRule: made.lossRule,
    files: made.files,
    layers: layout.layers,
    blocks,
    steps: ran.steps,
    parameters: layout.trained.map(({ name, value }) => ({ name, shape: value.shape })),
    parameterGradients: ran.parameterGradients,
    end: ran.end,
    reference,
    findings: trainingFindings(request, traced, prepared, { ...ran, reference }),
    notes: ran.notes,
    device: ran.device,
    graph: {
      nodes,
      parameters: layout.trained.reduce((sum, { size }) => sum + size, 0),
      sha256,
    },
    timing: ran.timing,
  };
}

export const referenceOf = ({ task }: Pick<PreparedTraining, "task">): TrainReport["reference"] =>
  task?.reference ?? { unigram: null, floor: null };

/** What a reader of the numbers must know. */
export function notesOf(request: TrainRequest, traced: TracedScript): string[] {
  const { training } = request;
  const { program, draws, edited } = traced;
  const isAnew = isTracedAnew(request, traced);
  const unused = program.parameters.filter(({ value }) => value === null).length;
  const fixed = program.values.some(
    ({ call }) => call.module !== null && call.op === "multinomial",
  );
  const buffers = program.values.some(({ call }) => call.op === "batch_norm");
  return [
    ...(training.task === null ? ["Every step has the batch that the script makes"] : []),
    ...(draws.length > 0
      ? ["What forward draws (dropout, noise) is drawn anew at every step, as PyTorch draws it"]
      : []),
    ...(isAnew ? [`Python runs again for every step${reasonOf(traced)}`] : []),
    ...(isAnew && (training.stepsPerCall ?? 1) > 1
      ? ["Each step is a run of its own, as each has another graph: no loop takes several"]
      : []),
    ...(edited.length > 0 && !isAnew
      ? [`What forward leaves for the next step stays as it began: ${edited.join(", ")}`]
      : []),
    ...(fixed && !isAnew
      ? ["What multinomial chose at the first step is chosen at every step"]
      : []),
    ...(buffers && program.mode === "train"
      ? ["Running means of batch norm stay as they began"]
      : []),
    ...(unused > 0 ? [`${unused} parameters are not used by the step and stay as they are`] : []),
    ...program.assumptions.map(({ message, file, line }) => `${message} (${file}:${line})`),
  ];
}

function reasonOf({ looks, edited }: TracedScript): string {
  const [look] = looks;
  if (look !== undefined)
    return `: it looks at numbers that steps change, at ${look.file}:${look.line}`;
  return edited.length > 0 ? `: the next step depends on ${edited.join(", ")} of this one` : "";
}
