/** NVIDIA's driver: whether it is there, what it can run, and the GPUs that it sees. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CudaMajor, cudaMajors, driverFile, oldestDriver } from "./libraries.ts";
import { type Environment, onSystemPath } from "./search.ts";

export interface Driver {
  readonly isThere: boolean;
  /** "580.65.06"; null: not told. */
  readonly version: string | null;
  readonly gpus: readonly Gpu[];
}

export interface Gpu {
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

export function findDriver(env: Environment): Driver {
  const given = (env["LD_LIBRARY_PATH"] ?? "").split(":").filter((it) => it !== "");
  const isThere =
    given.some((folder) => existsSync(join(folder, driverFile))) || onSystemPath(driverFile);
  if (!isThere) return { isThere, version: null, gpus: [] };
  const { version, gpus } = askedDriver();
  return { isThere, version: version ?? kernelVersion(), gpus };
}

/** Those that the driver is new enough for; all where its version is not known. */
export const majorsOf = ({ version }: Driver): CudaMajor[] =>
  cudaMajors.filter(
    (major) => version === null || Number.parseInt(version, 10) >= oldestDriver[major],
  );

export const gpuFacts = "driver_version,memory.total,memory.free,name";

function askedDriver(): Pick<Driver, "version" | "gpus"> {
  const args = [`--query-gpu=${gpuFacts}`, "--format=csv,noheader,nounits"];
  for (const program of ["nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"]) {
    const { stdout, status } = spawnSync(program, args, { encoding: "utf8", timeout: 10_000 });
    if (status === 0) return readGpus(stdout);
  }
  return { version: null, gpus: [] };
}

/** Lines of `nvidia-smi`: "580.65.06, 81559, 80994, NVIDIA H100", memory in MiB. */
export function readGpus(text: string): Pick<Driver, "version" | "gpus"> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rows = lines.map((line) => line.split(",").map((part) => part.trim()));
  const mebibytes = (word: string | undefined) => Number(word) * 2 ** 20;
  return {
    version: rows[0]?.[0] ?? null,
    gpus: rows.map(([, total, free, ...name]) => ({
      name: name.join(", "),
      totalBytes: mebibytes(total),
      freeBytes: mebibytes(free),
    })),
  };
}

function kernelVersion(): string | null {
  const file = "/proc/driver/nvidia/version";
  if (!existsSync(file)) return null;
  return /\s(\d+\.\d+(?:\.\d+)?)\s/.exec(readFileSync(file, "utf8"))?.[1] ?? null;
}

/** Whether the bus has a display adapter of NVIDIA's; null where it cannot be looked at. */
export function hasNvidiaGpu(bus = "/sys/bus/pci/devices"): boolean | null {
  if (!existsSync(bus)) return null;
  return readdirSync(bus).some((device) => {
    const [vendor, kind] = ["vendor", "class"].map((it) => textOf(join(bus, device, it)));
    return vendor === "0x10de" && kind?.startsWith("0x03");
  });
}

const textOf = (file: string): string =>
  existsSync(file) ? readFileSync(file, "utf8").trim() : "";
