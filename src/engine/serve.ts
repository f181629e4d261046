/** Answers the protocol's requests with a pipeline, one after another. */
import { type CancellationToken, type MessageConnection, ResponseError } from "vscode-jsonrpc/node";
import { cancelled } from "../errors.ts";
import { errorData } from "../protocol/engine.ts";
import {
  countRequest,
  detailRequest,
  doctorRequest,
  exportRequest,
  memoryRequest,
  type Numbered,
  progressNotification,
  rewriteRequest,
  runRequest,
  stopNotification,
  surveyRequest,
  trainNotification,
  trainRequest,
} from "../protocol/messages.ts";
import type { TrainEvent } from "../protocol/training.ts";
import type { Pipeline, Progress } from "./pipeline.ts";

/** JSON-RPC's code for an error of the application. */
const failed = -32000;

/** Listens until the connection closes. */
export function serveEngine(connection: MessageConnection, pipeline: Pipeline): void {
  let previous: Promise<unknown> = Promise.resolve();

  function inTurn<Request, Answer>(
    work: (
      request: Request,
      progress: Progress,
      signal: AbortSignal,
      number: number,
    ) => Promise<Answer>,
  ) {
    return ({ number, request }: Numbered<Request>, cancellation: CancellationToken) => {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      const progress: Progress = (stage) =>
        void connection.sendNotification(progressNotification, { number, stage });
      const turn = previous.then(() => {
        if (abort.signal.aborted) throw cancelled();
        return work(request, progress, abort.signal, number);
      });
      previous = turn.catch(() => undefined);
      return turn.catch((error: unknown): never => {
        const data = errorData(error);
        throw new ResponseError(failed, data.message, data);
      });
    };
  }

  connection.onRequest(
    runRequest,
    inTurn((request, progress, signal) => pipeline.run(request, progress, signal)),
  );
  connection.onRequest(
    exportRequest,
    inTurn((request, progress, signal) => pipeline.export(request, progress, signal)),
  );
  connection.onRequest(
    detailRequest,
    inTurn((request, progress, signal) => pipeline.detail(request, progress, signal)),
  );
  connection.onRequest(
    memoryRequest,
    inTurn((request, progress, signal) => pipeline.memory(request, progress, signal)),
  );
  const stops = new Map<number, AbortController>();
  connection.onNotification(stopNotification, ({ number }) => stops.get(number)?.abort());
  connection.onRequest(
    trainRequest,
    inTurn(async (request, progress, signal, number) => {
      const stop = new AbortController();
      stops.set(number, stop);
      const tell = (event: TrainEvent) =>
        void connection.sendNotification(trainNotification, { number, event });
      try {
        return await pipeline.train(request, { progress, tell, stop: stop.signal }, signal);
      } finally {
        stops.delete(number);
      }
    }),
  );
  connection.onRequest(
    doctorRequest,
    inTurn(() => pipeline.doctor()),
  );
  connection.onRequest(
    rewriteRequest,
    inTurn((request, progress, signal) => pipeline.rewrite(request, progress, signal)),
  );
  connection.onRequest(
    surveyRequest,
    inTurn((request, progress, signal) => pipeline.survey(request, progress, signal)),
  );
  connection.onRequest(
    countRequest,
    inTurn((request, progress, signal) => pipeline.count(request, progress, signal)),
  );
  connection.listen();
}
