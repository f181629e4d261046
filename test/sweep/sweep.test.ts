/** Sweeps: killed and gone on with, and through a Slurm that is made of two scripts. */
import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const command = join(root, "bin/normscope.mjs");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "normscope-sweep-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sweepOf = (out: string, ...more: readonly string[]): string[] => [
  ...[command, "sweep", join(root, "models/lab.py:LabDecoder"), "--set", "d_model=8"],
  ...["--set", "d_ff=8", "--over", "n_layers=1,2", "--seeds", "2", "--out", out, ...more],
];

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, [...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err });
    });
  });
}

const resultsIn = (out: string): string[] => {
  const runs = join(out, "runs");
  return existsSync(runs) ? readdirSync(runs).filter((name) => /^\d+\.json$/.test(name)) : [];
};

test("a sweep that is killed goes on where it was, to the same table", {
  timeout: 300_000,
}, async () => {
  const [whole, killed] = [join(folder, "whole"), join(folder, "killed")];
  const first = await run(sweepOf(whole, "--jobs", "1"));
  expect(first.code).toBe(0);
  expect(resultsIn(whole)).toHaveLength(4);

  const child = spawn(process.execPath, sweepOf(killed, "--jobs", "1"), { stdio: "ignore" });
  while (resultsIn(killed).length < 2) await sleep(20);
  child.kill("SIGKILL");
  await sleep(300);
  const finished = resultsIn(killed);
  expect(finished.length).toBeLessThan(4);
  const times = finished.map((name) => readFileSync(join(killed, "runs", name), "utf8"));
  const second = await run(sweepOf(killed, "--jobs", "2"));
  expect(second.err).toContain("of 4 runs were there already");
  expect(second.out).toBe(first.out);
  const again = finished.map((name) => readFileSync(join(killed, "runs", name), "utf8"));
  expect(again).toEqual(times);
});

/** Runs every index of --array but those in FAKE_DEAD, whose node dies; squeue shows what still runs. */
const sbatch = `#!/bin/sh
for arg in "$@"; do case "$arg" in --array=*) list=\${arg#--array=};; esac; script=$arg; done
echo "$list" >> "$FAKE_LOG"
touch "$FAKE_QUEUE"
(
  for part in $(echo "$list" | tr , ' '); do
    for index in $(seq \${part%-*} \${part#*-}); do
      case " $FAKE_DEAD " in *" $index "*) continue;; esac
      SLURM_ARRAY_TASK_ID=$index "$script"
    done
  done
  rm "$FAKE_QUEUE"
) > /dev/null 2>&1 &
echo 42
`;
/** At the first look the controller is busy; a job that is over is not known to it. */
const squeue = `#!/bin/sh
[ -e "$FAKE_QUEUE.seen" ] || { touch "$FAKE_QUEUE.seen"; echo "Unable to contact slurm controller" >&2; exit 1; }
[ -e "$FAKE_QUEUE" ] || { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }
[ -e "$FAKE_QUEUE" ] && echo 42_0
exit 0
`;

test("a node that dies loses its run and no other; the same command runs it again", {
  timeout: 300_000,
}, async () => {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, text] of Object.entries({ sbatch, squeue })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  const log = join(folder, "array.txt");
  const env = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    FAKE_LOG: log,
    FAKE_QUEUE: join(folder, "queue"),
  };
  const out = join(folder, "cluster");
  const args = sweepOf(out, "--executor", "slurm", "--poll", "0.1");
  const first = await run(args, { ...env, FAKE_DEAD: "3" });
  expect(first.code).toBe(1);
  expect(resultsIn(out)).toHaveLength(3);
  expect(first.out).toContain("n_layers=2 seed=1: it ended without a word (see logs)");

  // What a run failed of before is no answer of the run that is made now.
  writeFileSync(join(out, "runs/00003.error.json"), '{"message": "it failed before"}');
  const second = await run(args, { ...env, FAKE_DEAD: "" });
  expect(second.code).toBe(0);
  expect(readFileSync(log, "utf8")).toBe("0-3\n3\n");
  const local = await run(sweepOf(join(folder, "whole"), "--jobs", "1"));
  expect(second.out).toBe(local.out);
});

test("another sweep does not mix with one that is there", { timeout: 60_000 }, async () => {
  const copy = join(folder, "copy");
  cpSync(join(folder, "whole"), copy, { recursive: true });
  const other = await run([...sweepOf(copy), "--over", "placement=pre,post"]);
  expect(other.code).toBe(2);
  expect(other.err).toContain(
    "holds another sweep: --over placement nothing there and pre,post here",
  );
  const more = await run([...sweepOf(copy), "--seeds", "3"]);
  expect(more.err).toMatch(/holds another sweep: seeds \d there and 3 here\n/);
});

test("a damaged result is run again", { timeout: 120_000 }, async () => {
  const copy = join(folder, "damaged");
  cpSync(join(folder, "whole"), copy, { recursive: true });
  writeFileSync(join(copy, "runs/00001.json"), '{"run": {"ind');
  const again = await run(sweepOf(copy, "--jobs", "1"));
  expect(again.err).toContain("3 of 4 runs were there already");
  expect(again.out).toBe((await run(sweepOf(join(folder, "whole")))).out);
});

test("runs of one text of a model do not mix with those of another", {
  timeout: 120_000,
}, async () => {
  const model = join(folder, "lab.py");
  cpSync(join(root, "models/lab.py"), model);
  const out = join(folder, "edited");
  const args = sweepOf(out, "--seeds", "1").map((it) =>
    it.endsWith(":LabDecoder") ? `${model}:LabDecoder` : it,
  );
  expect((await run(args)).code).toBe(0);
  writeFileSync(model, `${readFileSync(model, "utf8")}\n# edited\n`);
  const before = resultsIn(out);
  const edited = await run(args);
  expect(edited.code).toBe(2);
  expect(edited.err).toContain("holds runs of another text of lab.py");
  expect(resultsIn(out)).toEqual(before);
});

test("a value that an axis cannot have is refused before anything is run", async () => {
  const out = join(folder, "refused");
  const refused = await run([...sweepOf(out), "--over", "steps=10,0"]);
  expect(refused.code).toBe(2);
  expect(refused.err).toContain("--over steps needs a whole number above 0; got '0'");
  expect(existsSync(out)).toBe(false);
});

test("a run that fails tells its line", { timeout: 60_000 }, async () => {
  const out = join(folder, "failing");
  const model = join(root, "models/lab.py:LabDecoder");
  const args = [command, "sweep", model, "--over", "n_layers=1,'many'", "--out", out];
  const ran = await run([...args, "--set", "d_model=8", "--jobs", "1"]);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/n_layers='many' seed=0: TypeError: .* {2}\S*lab\.py:\d+/);
});
