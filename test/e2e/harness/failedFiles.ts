/** Leaves the files that failed in out/e2e-failed.txt, one a line: they can be run again by themselves. */
import { mkdirSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export const failedFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const failed = modules.filter((module) => module.state() === "failed");
    const paths = failed.map(({ moduleId }) => relative(process.cwd(), moduleId));
    mkdirSync("out", { recursive: true });
    writeFileSync("out/e2e-failed.txt", paths.map((path) => `${path}\n`).join(""));
  },
};
