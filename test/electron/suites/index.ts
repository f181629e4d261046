/** The entry that the editor calls. */
import { runDeclared } from "../harness.ts";
import { print } from "../print.ts";
import "./activation.ts";
import "./results.ts";

export const run = (): Promise<void> => runDeclared(print);
