/** Processes of this machine, from /proc. A pid with its start time is never taken for another. */
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly command: string;
  /** Hundredths of a second that it has computed. */
  readonly ticks: number;
}

/** A process and all that it started. */
export function processTree(root: number): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
  const tree: Process[] = [];
  const add = (pid: number) => {
    const found = all.find((it) => it.pid === pid);
    if (found === undefined) return;
    tree.push(found);
    for (const child of all.filter((it) => it.parent === pid)) add(child.pid);
  };
  add(root);
  return tree;
}

export const isAlive = ({ pid, start }: Process): boolean =>
  readProcess(pid).some((it) => it.start === start);

/** Nothing where the process has ended, or is a zombie. */
function readProcess(pid: number): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z") return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    const ticks = Number(fields[11]) + Number(fields[12]);
    return [{ pid, parent: Number(fields[1]), start: fields[19] ?? "", command, ticks }];
  } catch {
    return [];
  }
}

export function killAll(processes: readonly Process[]): Process[] {
  const left = processes.filter(isAlive);
  for (const { pid } of left) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
  return left;
}
