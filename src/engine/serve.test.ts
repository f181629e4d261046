import { MessageChannel } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  PortMessageReader,
  PortMessageWriter,
  ResponseError,
} from "vscode-jsonrpc/node";
import { cancelled, torchError } from "../errors.ts";
import type { DoctorReport, ExportRequest, Stage } from "../protocol/engine.ts";
import { doctorRequest, exportRequest, progressNotification } from "../protocol/messages.ts";
import type { Pipeline } from "./pipeline.ts";
import { serveEngine } from "./serve.ts";

const open: MessageConnection[] = [];
afterEach(() => {
  for (const connection of open.splice(0)) connection.end();
});

const doctor: DoctorReport = {
  versions: { normscope: "1", node: "2", onnxruntime: "3", pyodide: "4" },
  providers: [],
  memory: { totalBytes: 2, freeBytes: 1 },
  processors: 2,
};

const exportOf = (name: string): ExportRequest => ({
  root: "/models",
  file: "a.py",
  entry: "A",
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  directory: "/models",
  name,
  storage: "auto",
  dynamic: false,
  backward: false,
  statistics: false,
});

function connect(pipeline: Partial<Pipeline>): MessageConnection {
  const { port1, port2 } = new MessageChannel();
  const [client, server] = [port1, port2].map((port) =>
    createMessageConnection(new PortMessageReader(port), new PortMessageWriter(port)),
  );
  if (client === undefined || server === undefined) throw new Error("two ports");
  open.push(client, server);
  const refuse = () => Promise.reject(new Error("not part of this test"));
  const whole: Pipeline = {
    run: refuse,
    export: refuse,
    detail: refuse,
    memory: refuse,
    train: refuse,
    doctor: refuse,
    rewrite: refuse,
    survey: refuse,
    count: refuse,
    dispose: () => Promise.resolve(),
    ...pipeline,
  };
  serveEngine(server, whole);
  client.listen();
  return client;
}

test("answers with what the pipeline gives", async () => {
  const client = connect({ doctor: () => Promise.resolve(doctor) });
  expect(await client.sendRequest(doctorRequest, { number: 1, request: null })).toEqual(doctor);
});

test("an error keeps its code, place and hint", async () => {
  const client = connect({ doctor: () => Promise.reject(torchError("ValueError", "no", "try")) });
  const answer = client.sendRequest(doctorRequest, { number: 1, request: null });
  const error = await answer.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ResponseError);
  expect((error as ResponseError<unknown>).data).toMatchObject({
    code: "trace/python",
    message: "no",
    hint: "try",
    pythonType: "ValueError",
  });
});

test("requests run one after another, each with its own progress", async () => {
  const log: string[] = [];
  const client = connect({
    export: async ({ name }, progress) => {
      log.push(`${name} begins`);
      progress("trace");
      await new Promise((resolve) => setTimeout(resolve, 5));
      log.push(`${name} ends`);
      return { files: [], nodes: 0, parameters: 0 };
    },
  });
  const told: [number, Stage][] = [];
  client.onNotification(progressNotification, ({ number, stage }) => {
    told.push([number, stage]);
  });
  await Promise.all(
    ["a", "b"].map((name, number) =>
      client.sendRequest(exportRequest, { number, request: exportOf(name) }),
    ),
  );
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  expect(told).toEqual([
    [0, "trace"],
    [1, "trace"],
  ]);
});

test("cancelling fires the signal of the running request and skips a waiting one", async () => {
  const begun: string[] = [];
  const client = connect({
    export: ({ name }, _, signal) => {
      begun.push(name);
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(cancelled()));
      });
    },
  });
  const tokens = ["a", "b"].map(() => new CancellationTokenSource());
  const answers = ["a", "b"].map((name, number) =>
    client.sendRequest(exportRequest, { number, request: exportOf(name) }, tokens[number]?.token),
  );
  const settled = Promise.allSettled(answers);
  await vi.waitFor(() => expect(begun).toEqual(["a"]));
  tokens[1]?.cancel();
  tokens[0]?.cancel();
  const codes = (await settled).map((result) =>
    result.status === "rejected" ? result.reason.data.code : "answered",
  );
  expect(codes).toEqual(["engine/cancelled", "engine/cancelled"]);
  expect(begun).toEqual(["a"]);
});
