/** Ends the output with one line that says how many tests passed: "31 passed, 0 failed". */
import type { Reporter, TestModule } from "vitest/node";

export const closingLine: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const states = modules.flatMap((module) =>
      Array.from(module.children.allTests(), (test) => test.result().state),
    );
    const passed = states.filter((state) => state === "passed").length;
    // A file that fails before its tests counts as well.
    const broken = modules.filter(
      (module) => module.state() === "failed" && module.errors().length,
    );
    const failed = states.filter((state) => state === "failed").length + broken.length;
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  },
};
