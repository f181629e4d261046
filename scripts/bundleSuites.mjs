/** Bundles test/electron/suites for the extension host: dist/suites.cjs, whose `run` the editor calls. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the path of the bundle. */
export async function bundleSuites() {
  const outfile = join(root, "dist", "suites.cjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/electron/suites/index.ts"],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    logLevel: "warning",
  });
  return outfile;
}
