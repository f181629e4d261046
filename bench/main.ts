/** All measurements, one group after another, and the table of targets. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { cold, depth, edit, statistics, step } from "./groups.ts";
import type { Clock } from "./measure.ts";
import { type Finding, line } from "./targets.ts";
import { training } from "./training.ts";

const groups = { step, statistics, cold, edit, depth, training };
type Group = keyof typeof groups;

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(groups).join() },
    threads: { type: "string", default: String(availableParallelism()) },
    samples: { type: "string", default: "5" },
    clock: { type: "string", default: "wall" },
    python: { type: "string", default: process.env["NORMSCOPE_PYTHON"] ?? "python3" },
    json: { type: "string" },
  },
});

const hasModule = (name: string): boolean =>
  spawnSync(options.python, ["-c", `import ${name}`], { stdio: "ignore" }).status === 0;
const python = hasModule("torch") ? options.python : null;
const setup = {
  python,
  hasTorchLens: python !== null && hasModule("torchlens"),
  threads: Number(options.threads),
  samples: Number(options.samples),
  clock: options.clock as Clock,
};

console.log(
  `threads ${setup.threads}, medians of ${setup.samples}, ` +
    `${setup.clock === "cpu" ? "processor time" : "time"}, ` +
    (python === null ? "no PyTorch: only what needs none" : `PyTorch of ${python}`),
);
const findings: Finding[] = [];
for (const name of options.only.split(",") as Group[])
  await groups[name](setup, (finding) => {
    findings.push(finding);
    console.log(line(finding));
  });
const missed = findings.filter(({ ratio, limit }) => limit !== null && ratio > limit);
const bound = findings.filter(({ limit }) => limit !== null);
console.log(`${bound.length - missed.length} of ${bound.length} targets met`);
for (const { name, limits } of missed) console.log(`missed: ${name}. ${limits ?? ""}`);
if (options.json) writeFileSync(options.json, JSON.stringify({ setup, findings }, null, 2));
process.exit(0);
