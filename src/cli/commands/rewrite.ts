/** `normscope rewrite`: the norms of a file's blocks elsewhere, as a diff of its own source. */
import { resolve } from "node:path";
import { rewriteRefused, wrongUsage } from "../../errors.ts";
import { unifiedDiff } from "../../present/unifiedDiff.ts";
import type { RewriteTarget } from "../../protocol/rewrite.ts";
import type { Context } from "../context.ts";
import { modelRequest, readSource, splitTarget, surveyRequest } from "../modelRequest.ts";
import { type Output, writeLines } from "../output.ts";
import type { RunOptions } from "./run.ts";
import { present, runModel } from "./shared.ts";

export interface RewriteOptions extends RunOptions {
  readonly to: RewriteTarget;
  readonly write?: boolean;
  readonly output?: string;
  readonly compare?: boolean;
}

const nameOfTarget: Readonly<Record<RewriteTarget, string>> = {
  post: "Post-LN",
  pre: "Pre-LN",
  peri: "peri-norm",
  rms: "RMSNorm",
};

/** Prints the diff; writes where it is asked to, and runs both texts where it is asked to. */
export async function rewrite(
  context: Context,
  target: string,
  options: RewriteOptions,
): Promise<void> {
  const { to, write = false, output, compare = false } = options;
  const { file, entry } = splitTarget(target);
  surveyRequest(file, options, context.cwd);
  if (compare && entry === null)
    throw wrongUsage("--compare runs a model; name its class: FILE:CLASS");
  const path = resolve(context.cwd, file);
  const text = readSource(path, file);
  const answer = await context.engine().rewrite({ text, entry, to });
  if ("refused" in answer) throw rewriteRefused(answer.refused, { file, line: answer.line });
  const diff = unifiedDiff(text, answer.text, file);
  if (options.json !== "-")
    writeLines(
      context.out,
      diff.map((line) => painted(line, context.out)),
    );
  if (write) context.files.write(path, answer.text);
  if (output !== undefined) context.files.write(resolve(context.cwd, output), answer.text);
  if (compare) await compareTexts(context, target, options, text, answer.text);
}

function painted(line: string, output: Output): string {
  if (line.startsWith("+++") || line.startsWith("---")) return output.paint("strong", line);
  if (line.startsWith("@@")) return output.paint("dim", line);
  if (line.startsWith("+")) return output.paint("accent", line);
  return line.startsWith("-") ? output.paint("error", line) : line;
}

/** The same seed, and the same weights where their names agree. */
async function compareTexts(
  context: Context,
  target: string,
  options: RewriteOptions,
  text: string,
  edited: string,
): Promise<void> {
  const request = modelRequest(target, options, context.cwd);
  const before = await runModel(context, { ...request, source: text }, options);
  const { weights } = request;
  const loose = weights ? { weights: { ...weights, strict: false } } : {};
  const after = await runModel(context, { ...request, ...loose, source: edited }, options);
  const sides = [
    { name: "as it is", report: before, files: [] },
    { name: nameOfTarget[options.to], report: after, files: [] },
  ];
  present(context, sides, { schema: 1, a: before, b: after }, options, []);
}
