/** Runs a small model and keeps what V8 compiled for it, where nothing is kept yet. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createPipeline } from "./pipeline.ts";

const folder = dirname(fileURLToPath(import.meta.url));

if (!existsSync(join(folder, "tracer.cjs.cache"))) {
  const pipeline = createPipeline({ keepsCompiled: true });
  const request = {
    root: join(folder, "..", "models"),
    file: "pre_ln.py",
    entry: "PreLNTransformer",
    set: { n_layers: "2" },
    inputs: [],
    loss: null,
    seed: 0,
    mode: null,
    packages: null,
    device: "cpu",
  } as const;
  await pipeline.run(request, () => undefined, new AbortController().signal);
  await pipeline.dispose();
}
