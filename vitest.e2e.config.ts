import { defineConfig } from "vitest/config";
import { closingLine } from "./test/e2e/harness/closingLine.ts";
import { failedFiles } from "./test/e2e/harness/failedFiles.ts";

/** What needs a browser and a real editor: minutes, one file after the other. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.e2e.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 1,
    // The editor draws things anew at moments of its own; what is wrong fails twice.
    retry: 1,
    fileParallelism: false,
    reporters: ["default", closingLine, failedFiles],
  },
});
