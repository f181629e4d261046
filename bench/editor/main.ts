/** Runs the suite in the editor of the tests, which prints what it measured. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runHostSuite } from "../../test/e2e/harness/hostSuite.ts";

const suite = join(dirname(fileURLToPath(import.meta.url)), "suite.cjs");
await runHostSuite(suite, /^measured$/m, 300_000);
process.exit(0);
