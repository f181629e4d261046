/** Runs one command and says with which exit code the process should end. */
import { CommanderError } from "commander";
import { cancelled, NormscopeError } from "../errors.ts";
import type { Context } from "./context.ts";
import { errorText } from "./errorText.ts";
import { writeLines } from "./output.ts";
import { printedLines } from "./printedLines.ts";
import { createProgram } from "./program.ts";

/** 0 done, 1 the model failed, 2 wrong usage, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

/** `args` is what stands after the program's name. */
export async function commandLine(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await createProgram(context).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { cwd, isDebug, err } = context;
    if (error instanceof NormscopeError)
      writeLines(err, printedLines("Printed before the error", error.printed, err));
    writeLines(err, errorText(error, { cwd, isDebug, output: err }));
    return exitCodeOf(error);
  } finally {
    context.files.discard();
  }
}

function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof NormscopeError)) return 1;
  if (error.code === cancelled().code) return 130;
  return error.code.startsWith("usage/") ? 2 : 1;
}
