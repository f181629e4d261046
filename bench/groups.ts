/** One function per group of targets. Each reports what it finds as soon as it knows. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEngine } from "../src/client/engineClient.ts";
import type { RunRequest } from "../src/protocol/engine.ts";
import { type Clock, inTurns, median, runCommand, type Time } from "./measure.ts";
import { ourStepper, type PyTorchKind, pyTorchStepper } from "./steppers.ts";
import { type Finding, finding } from "./targets.ts";

export interface Setup {
  /** An interpreter that has PyTorch, or null. */
  readonly python: string | null;
  readonly hasTorchLens: boolean;
  readonly threads: number;
  readonly samples: number;
  readonly clock: Clock;
}

export type Tell = (finding: Finding) => void;

const dist = dirname(fileURLToPath(import.meta.url));
const bench = join(dist, "..", "bench");
const models = join(bench, "models");
const scripts = {
  gpt2: "gpt2_small.py",
  deep: "layers_48.py",
  small: "layers_4.py",
  twelve: "layers_12.py",
  ninetySix: "layers_96.py",
} as const;
const called: Readonly<Record<string, string>> = {
  [scripts.gpt2]: "GPT-2 small, 1 × 256",
  [scripts.deep]: "48 layers d = 256, 8 × 64",
  [scripts.small]: "4 layers d = 128, 4 × 64",
};

/** What stands in the way of a target, from profiles; docs/performance.md has the numbers. */
const obstacles = {
  step: "Products take most of it, and are as fast as PyTorch's; the rest is passes over memory",
  statistics: "Four reductions a value: ONNX has no operator that makes them in one pass",
  cold: "Two starts of Node, Python's image and its compiled code: bound by the processor",
  memory: "Node, Python and ONNX Runtime each hold memory of their own",
  edit: "Tracing in Python and making the session, both bound by one processor",
} as const;

const requestOf = (root: string, file: string): RunRequest => ({
  root,
  file,
  entry: null,
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  packages: null,
  device: "cpu",
});

const startOurs = ({ threads }: Setup, file: string, withStatistics: boolean) =>
  ourStepper(join(dist, "stepWorker.mjs"), {
    assets: join(dist, "python"),
    fillWorker: join(dist, "fillWorker.mjs"),
    threads,
    version: "",
    keepsCompiled: false,
    request: requestOf(models, file),
    statistics: withStatistics,
  });

const startTheirs = (python: string, { threads }: Setup, file: string, kind: PyTorchKind) =>
  pyTorchStepper(python, join(bench, "pytorch", "steps.py"), [
    join(models, file),
    kind,
    String(threads),
  ]);

const middle = (times: readonly Time[] | undefined, clock: Clock): number =>
  median((times ?? []).map((time) => time[clock]));

/** The instrumented step against PyTorch's. */
export async function step(setup: Setup, tell: Tell): Promise<void> {
  if (setup.python === null) return;
  await compareSteps(setup, tell, scripts.gpt2, [{ kind: "plain", limit: 0.75 }]);
  await compareSteps(setup, tell, scripts.deep, [{ kind: "plain", limit: 0.9 }]);
  await compareSteps(setup, tell, scripts.small, [
    { kind: "plain", limit: null },
    { kind: "hooks", limit: 0.9 },
    ...(setup.hasTorchLens ? [{ kind: "torchlens", limit: 0.1 } as const] : []),
  ]);
}

const kinds: Readonly<Record<PyTorchKind, string>> = {
  plain: "PyTorch's without hooks",
  hooks: "PyTorch's with hooks",
  torchlens: "TorchLens's with gradients",
};

async function compareSteps(
  setup: Setup,
  tell: Tell,
  file: string,
  peers: readonly { readonly kind: PyTorchKind; readonly limit: number | null }[],
): Promise<void> {
  const { python, clock, samples } = setup;
  if (python === null) return;
  const ours = await startOurs(setup, file, true);
  const first = await ours.step();
  const theirs = [];
  for (const { kind } of peers) theirs.push(await startTheirs(python, setup, file, kind));
  const all = [ours, ...theirs];
  for (const { step } of all) await step();
  const [own, ...others] = await inTurns(
    samples,
    all.map(({ step }) => step),
  );
  for (const { end } of all) await end();
  const ourTime = middle(own, clock);
  for (const [at, { kind, limit }] of peers.entries())
    tell(
      finding({
        name: `step, ${called[file]} / ${kinds[kind]}`,
        ours: ourTime,
        theirs: middle(others[at], clock),
        unit: "ms",
        limit,
        limits: obstacles.step,
      }),
    );
  tell(
    finding({
      name: `first run of the session, ${called[file]} / later runs`,
      ours: first[clock],
      theirs: ourTime,
      unit: "ms",
      limit: null,
    }),
  );
}

/** Statistics on / off. */
export async function statistics(setup: Setup, tell: Tell): Promise<void> {
  for (const file of [scripts.gpt2, scripts.deep, scripts.small]) {
    const all = [await startOurs(setup, file, true), await startOurs(setup, file, false)];
    for (const { step } of all) await step();
    const [on, off] = await inTurns(
      setup.samples,
      all.map(({ step }) => step),
    );
    for (const { end } of all) await end();
    tell(
      finding({
        name: `statistics on / off, ${called[file]}`,
        ours: middle(on, setup.clock),
        theirs: middle(off, setup.clock),
        unit: "ms",
        limit: 1.15,
        limits: obstacles.statistics,
      }),
    );
  }
}

/** From the start of the process to the printed table; and memory. */
export async function cold(setup: Setup, tell: Tell): Promise<void> {
  const { python, clock } = setup;
  const command = join(dist, "..", "bin", "normscope.mjs");
  for (const [file, limit] of [
    [scripts.small, 0.35],
    [scripts.gpt2, 0.6],
  ] as const) {
    const path = join(models, file);
    const ours = () => runCommand([process.execPath, command, "run", path, "--device", "cpu"]);
    const table = join(bench, "pytorch", "table.py");
    const theirs = () => runCommand([python ?? "", table, path, String(setup.threads)]);
    await ours();
    if (python !== null) await theirs();
    const [own = [], other = []] = await inTurns(
      setup.samples,
      python === null ? [ours] : [ours, theirs],
    );
    const peak = (runs: readonly { readonly peakBytes: number | null }[]) =>
      median(runs.map(({ peakBytes }) => (peakBytes ?? Number.NaN) / 1e6));
    const name = called[file];
    tell(
      finding({
        name: `cold to the printed table, ${name} / script with hooks`,
        ours: middle(own, clock),
        theirs: middle(other, clock),
        unit: "ms",
        limit: python === null ? null : limit,
        limits: obstacles.cold,
      }),
    );
    tell(
      finding({
        name: `peak memory, ${name} / script with hooks`,
        ours: peak(own),
        theirs: peak(other),
        unit: "MB",
        limit: python !== null && file === scripts.gpt2 ? 1.2 : null,
        limits: obstacles.memory,
      }),
    );
  }
}

/** Loading the spare tracer takes less. */
const settleMs = 4000;

/** Again after an edit, against the time of `import torch`. */
export async function edit(setup: Setup, tell: Tell): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "normscope-bench-")));
  cpSync(models, folder, { recursive: true });
  const engine = startEngine({ enginePath: join(dist, "engine.mjs") });
  const source = join(folder, "gpt.py");
  let edits = 0;
  const again = async (): Promise<Time> => {
    writeFileSync(source, `${readFileSync(source, "utf8")}\n# ${edits++}\n`);
    await sleep(settleMs);
    const start = performance.now();
    await engine.run(requestOf(folder, scripts.small));
    return { wall: performance.now() - start, cpu: Number.NaN };
  };
  await again();
  const { python } = setup;
  const [own, other] = await inTurns(
    setup.samples,
    python === null ? [again] : [again, async () => importTorch(python)],
  );
  tell(
    finding({
      name: "again after an edit, 4 layers d = 128 / import torch",
      ours: middle(own, "wall"),
      theirs: middle(other, "wall"),
      unit: "ms",
      limit: python === null ? null : 0.12,
      limits: obstacles.edit,
    }),
  );
  await engine.dispose();
  rmSync(folder, { recursive: true, force: true });
}

function importTorch(python: string): Time {
  const program =
    "import time; t = time.perf_counter(); import torch; print(1000 * (time.perf_counter() - t))";
  const { stdout } = spawnSync(python, ["-c", program], { encoding: "utf8" });
  return { wall: Number(stdout), cpu: Number.NaN };
}

/** Trace, build and session at 96 layers against 12. */
export async function depth(setup: Setup, tell: Tell): Promise<void> {
  const engine = startEngine({ enginePath: join(dist, "engine.mjs") });
  const preparing = (file: string) => async (): Promise<Time> => {
    await sleep(settleMs);
    const { timing } = await engine.run(requestOf(models, file));
    return { wall: timing.traceMs + timing.buildMs + timing.sessionMs, cpu: Number.NaN };
  };
  await preparing(scripts.twelve)();
  const [deep, shallow] = await inTurns(setup.samples, [
    preparing(scripts.ninetySix),
    preparing(scripts.twelve),
  ]);
  tell(
    finding({
      name: "trace + build + session, 96 layers / 12 layers",
      ours: middle(deep, "wall"),
      theirs: middle(shallow, "wall"),
      unit: "ms",
      limit: 9,
    }),
  );
  await engine.dispose();
}
