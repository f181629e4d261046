/** Where suites in the extension host print. */
import { appendFileSync } from "node:fs";

/** An editor in a browser shows nobody what its extension host prints: there a file takes it. */
export function print(line: string): void {
  const file = process.env["NORMSCOPE_SUITES_LOG"];
  if (file === undefined) console.log(line);
  else appendFileSync(file, `${line}\n`);
}
