/** `normscope run`: one model, its numbers per block and per line. */
import type { Device } from "../../protocol/engine.ts";
import type { Context } from "../context.ts";
import { choiceOf, type ModelOptions, modelRequest } from "../modelRequest.ts";
import {
  allLines,
  type FindingOptions,
  nameOf,
  type OutputOptions,
  present,
  runModel,
} from "./shared.ts";

export interface RunOptions extends ModelOptions, OutputOptions, FindingOptions {
  readonly device: Device;
  readonly keepGoing?: boolean;
  readonly force?: boolean;
}

export async function run(context: Context, target: string, options: RunOptions): Promise<void> {
  const request = {
    ...modelRequest(target, options, context.cwd),
    ...(options.keepGoing ? { keepGoing: true } : {}),
  };
  const ran = await runModel(context, request, options);
  const choice = choiceOf(target, request);
  const report =
    choice === null ? ran : { ...ran, assumptions: [choice, ...(ran.assumptions ?? [])] };
  const files = allLines(context, report, request.root);
  present(context, [{ name: nameOf(request), report, files }], report, options);
}
