/** The entry that the editor calls. */
import { appendFileSync } from "node:fs";
import { runDeclared } from "../harness.ts";
import "./activation.ts";
import "./results.ts";

/** An editor in a browser shows nobody what its extension host prints: there a file takes it. */
function print(line: string): void {
  const file = process.env["NORMSCOPE_SUITES_LOG"];
  if (file === undefined) console.log(line);
  else appendFileSync(file, `${line}\n`);
}

export const run = (): Promise<void> => runDeclared(print);
