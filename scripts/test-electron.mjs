/**
 * Runs test/electron in a VS Code for the desktop, which is downloaded on the first call.
 *
 *     npm run test:electron [-- version]        stable by default; the lowest supported is 1.96.0
 *
 * Needs a display (xvfb-run on a server). Where VS Code cannot be downloaded, the editor's tests
 * (npm run e2e) run the same suites in a VS Code that comes from the package registry.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests } from "@vscode/test-electron";
import { bundleSuites } from "./bundleSuites.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const extensionTestsPath = await bundleSuites();
const folder = mkdtempSync(join(tmpdir(), "normscope-electron-"));
for (const name of ["pre_ln.py", "post_ln.py"])
  cpSync(join(root, "models", name), join(folder, name));
try {
  await runTests({
    version: process.argv[2] ?? "stable",
    extensionDevelopmentPath: root,
    extensionTestsPath,
    launchArgs: [folder, "--disable-extensions", "--disable-workspace-trust", "--skip-welcome"],
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
