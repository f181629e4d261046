/** The messages of the connection to the engine; its workers know only what they carry. */
import { NotificationType, RequestType } from "vscode-jsonrpc/node";
import type { CountReport, CountRequest } from "./count.ts";
import type {
  DetailReport,
  DetailRequest,
  DoctorReport,
  ErrorData,
  ExportReport,
  ExportRequest,
  RunRequest,
  Stage,
} from "./engine.ts";
import type { MemoryEstimate, RunReport } from "./report.ts";
import type { RewriteAnswer, RewriteRequest } from "./rewrite.ts";
import type { FileSurvey, SurveyRequest } from "./survey.ts";
import type { TrainEvent, TrainReport, TrainRequest } from "./training.ts";

/** Every request carries the number under which its progress is told. */
export interface Numbered<Request> {
  readonly number: number;
  readonly request: Request;
}

export const runRequest = new RequestType<Numbered<RunRequest>, RunReport, ErrorData>("run");
export const exportRequest = new RequestType<Numbered<ExportRequest>, ExportReport, ErrorData>(
  "export",
);
export const detailRequest = new RequestType<Numbered<DetailRequest>, DetailReport, ErrorData>(
  "detail",
);
export const trainRequest = new RequestType<Numbered<TrainRequest>, TrainReport, ErrorData>(
  "train",
);
/** Ends a run of training after the step that is being taken; it answers with its report. */
export const stopNotification = new NotificationType<{ readonly number: number }>("stop");
export const trainNotification = new NotificationType<{
  readonly number: number;
  readonly event: TrainEvent;
}>("trainEvent");
/** What a run would hold; the model is traced, and nothing of it is run. */
export const memoryRequest = new RequestType<Numbered<RunRequest>, MemoryEstimate, ErrorData>(
  "memory",
);
export const doctorRequest = new RequestType<Numbered<null>, DoctorReport, ErrorData>("doctor");
export const rewriteRequest = new RequestType<Numbered<RewriteRequest>, RewriteAnswer, ErrorData>(
  "rewrite",
);
export const surveyRequest = new RequestType<Numbered<SurveyRequest>, FileSurvey, ErrorData>(
  "survey",
);
export const countRequest = new RequestType<Numbered<CountRequest>, CountReport, ErrorData>(
  "count",
);
export const progressNotification = new NotificationType<{
  readonly number: number;
  readonly stage: Stage;
}>("progress");
