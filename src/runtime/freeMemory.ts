/** How much memory a process may still take: of the machine, or of the group it is confined to. */
import { existsSync, readFileSync } from "node:fs";
import { freemem } from "node:os";
import { dirname, join } from "node:path";

/** Bytes. */
export function freeMemory(): number {
  return Math.min(availableOnMachine(), ...groupsOf().map(freeInGroup));
}

/** Linux counts what it would give back: caches of files. */
function availableOnMachine(): number {
  const kibibytes = /^MemAvailable:\s+(\d+)/m.exec(textOf("/proc/meminfo") ?? "")?.[1];
  return kibibytes === undefined ? freemem() : Number(kibibytes) * 1024;
}

const groupRoot = "/sys/fs/cgroup";

/** The folder of this process's group, and those of the groups around it. */
function groupsOf(): string[] {
  const path = /^0::(\/.*)$/m.exec(textOf("/proc/self/cgroup") ?? "")?.[1];
  if (path === undefined) return [];
  const folders: string[] = [];
  for (let at = join(groupRoot, path); at.startsWith(groupRoot); at = dirname(at)) folders.push(at);
  return folders;
}

/** Infinity where the group has no limit. */
export function freeInGroup(folder: string): number {
  const limit = Number(textOf(join(folder, "memory.max")));
  const used = Number(textOf(join(folder, "memory.current")));
  if (!(limit > 0) || Number.isNaN(used)) return Number.POSITIVE_INFINITY;
  const caches = /^inactive_file (\d+)/m.exec(textOf(join(folder, "memory.stat")) ?? "")?.[1];
  return Math.max(0, limit - used + Number(caches ?? 0));
}

const textOf = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, "utf8").trim() : null;
