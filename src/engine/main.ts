/** The engine process: protocol on this thread, tracer and runtime in workers of the pipeline. */
import process from "node:process";
import { createMessageConnection, IPCMessageReader, IPCMessageWriter } from "vscode-jsonrpc/node";
import { createPipeline } from "./pipeline.ts";
import { serveEngine } from "./serve.ts";

// A terminal sends Ctrl-C to the whole process group; the parent decides what it means.
process.on("SIGINT", () => undefined);

// A worker that is inside a native call survives a normal exit, and the parent is gone.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

const connection = createMessageConnection(
  new IPCMessageReader(process),
  new IPCMessageWriter(process),
);
serveEngine(connection, createPipeline());
