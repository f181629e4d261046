/**
 * Measures Normscope against real PyTorch, and against itself, and says which targets are met.
 *
 *     npm run bench -- [--only step,statistics,cold,edit,depth,training] [--threads N] [--samples N]
 *                      [--clock wall|cpu] [--python FILE] [--json FILE]
 *
 * Without PyTorch (python3, or what NORMSCOPE_PYTHON or --python name) it prints what needs none.
 * `--clock cpu --threads 1` counts processor time in place of time: for a machine that others use.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const script of ["scripts/build.mjs", "dist/makeCompiled.mjs"]) {
  const { status } = spawnSync(process.execPath, [join(root, script)], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: "bench/main.ts",
    stepWorker: "bench/stepWorker.ts",
    trainWorker: "bench/trainWorker.ts",
  },
  outdir: join(root, "dist"),
  outExtension: { ".js": ".mjs" },
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  external: ["onnxruntime-node"],
  banner: {
    js:
      'import { createRequire as normscopeCreateRequire } from "node:module";' +
      "const require = normscopeCreateRequire(import.meta.url);",
  },
  logLevel: "warning",
});
await import(join(root, "dist/bench.mjs"));
