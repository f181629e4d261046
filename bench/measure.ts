/** Times, medians, and commands with the memory and processor time of all their processes. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { medianOf } from "../src/present/median.ts";

/** Milliseconds: by the clock, and of all processors together. */
export interface Time {
  readonly wall: number;
  readonly cpu: number;
}

export type Clock = keyof Time;

export interface CommandRun extends Time {
  /** Sum of the processes' peaks; null where the system does not tell. */
  readonly peakBytes: number | null;
}

export const median = (numbers: readonly number[]): number => medianOf(numbers) ?? Number.NaN;

/** Runs the makers one after another, `samples` times over, so that noise meets them all alike. */
export async function inTurns<T>(
  samples: number,
  makers: readonly (() => Promise<T>)[],
): Promise<T[][]> {
  const taken: T[][] = makers.map(() => []);
  for (let sample = 0; sample < samples; sample++)
    for (const [at, make] of makers.entries()) taken[at]?.push(await make());
  return taken;
}

const sampleMs = 10;

/** Runs a command to its end. Rejects with its last words where it fails. */
export function runCommand(command: readonly string[]): Promise<CommandRun> {
  const [file = "", ...args] = command;
  const start = performance.now();
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stdout.resume();
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2000);
  });
  const seen = new Map<number, Usage>();
  const timer = setInterval(() => look(child.pid ?? 0, seen), sampleMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(timer);
      const wall = performance.now() - start;
      if (code !== 0) reject(new Error(`${command.join(" ")}: exit code ${code}\n${errors}`));
      const all = [...seen.values()];
      resolve({
        wall,
        cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
        peakBytes: all.length === 0 ? null : all.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
      });
    });
  });
}

interface Usage {
  readonly cpu: number;
  readonly peakBytes: number;
}

/** Notes what Linux tells of a process and those it started; elsewhere nothing. */
function look(root: number, seen: Map<number, Usage>): void {
  const family = new Set([root]);
  for (const { pid, parent, usage } of processes()) {
    if (family.has(parent)) family.add(pid);
    if (family.has(pid)) seen.set(pid, atLeast(usage, seen.get(pid)));
  }
}

/** A process that has ended and not yet been waited for has no memory any more. */
const atLeast = (usage: Usage, before: Usage = { cpu: 0, peakBytes: 0 }): Usage => ({
  cpu: Math.max(usage.cpu, before.cpu),
  peakBytes: Math.max(usage.peakBytes, before.peakBytes),
});

const clockTicksPerMs = 0.1;

function processes(): { pid: number; parent: number; usage: Usage }[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids
    .sort((a, b) => a - b)
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
        const cpu = (Number(fields[11]) + Number(fields[12])) / clockTicksPerMs;
        return [{ pid, parent: Number(fields[1]), usage: { cpu, peakBytes: 1024 * peakKb } }];
      } catch {
        return [];
      }
    });
}
