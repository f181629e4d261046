import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const fakeEditor = fileURLToPath(new URL("test/extension/fake/vscode.ts", import.meta.url));

export default defineConfig({
  resolve: { alias: { vscode: fakeEditor } },
  test: {
    include: ["src/**/*.test.ts", "webview/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
