/** The stages from a request to its answer, as the engine's main thread sees them. */
import type {
  DoctorReport,
  ExportReport,
  ExportRequest,
  RunRequest,
  Stage,
} from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";

export type Progress = (stage: Stage) => void;

/**
 * One request at a time. Where `signal` fires while Python is being traced, the tracer is ended and
 * the promise rejects with `cancelled()`; where it fires while the runtime works, nothing needs to
 * happen: the client ends the process.
 */
export interface Pipeline {
  run(request: RunRequest, progress: Progress, signal: AbortSignal): Promise<RunReport>;
  export(request: ExportRequest, progress: Progress, signal: AbortSignal): Promise<ExportReport>;
  doctor(): Promise<DoctorReport>;
  dispose(): Promise<void>;
}

export function createPipeline(): Pipeline {
  const refuse = () => Promise.reject(new Error("internal: the stages are not connected"));
  return { run: refuse, export: refuse, doctor: refuse, dispose: () => Promise.resolve() };
}
