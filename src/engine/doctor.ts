/** What this machine has: versions, and for each provider what works or what is missing. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, totalmem } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  type DoctorReport,
  devices,
  type NvidiaDriver,
  type ProviderState,
} from "../protocol/engine.ts";
import { findDriver } from "../runtime/cuda/driver.ts";
import { hasCuda } from "../runtime/cuda/libraries.ts";
import { freeMemory } from "../runtime/freeMemory.ts";
import { probe } from "../runtime/probe.ts";

export async function doctor(): Promise<DoctorReport> {
  const providers = await Promise.all(devices.filter((device) => device !== "auto").map(stateOf));
  return {
    versions: {
      normscope: packageVersion(
        join(dirname(fileURLToPath(import.meta.url)), "..", "package.json"),
      ),
      node: process.version.slice(1),
      onnxruntime: versionOf("onnxruntime-node"),
      pyodide: versionOf("pyodide"),
    },
    providers,
    memory: { totalBytes: totalmem(), freeBytes: freeMemory() },
    processors: availableParallelism(),
    driver: hasCuda() ? driverFound() : null,
  };
}

function driverFound(): NvidiaDriver | null {
  const { isThere, version, gpus } = findDriver(process.env);
  return isThere ? { version, gpus } : null;
}

async function stateOf(name: Exclude<(typeof devices)[number], "auto">): Promise<ProviderState> {
  const problem = await probe(name);
  const { reason, remedy } = problem ?? { reason: null, remedy: null };
  return { name, works: problem === null, reason, remedy };
}

export const packageVersion = (file: string): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

/** "missing" where a package for another system was installed. */
function versionOf(name: string): string {
  try {
    return packageVersion(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return "missing";
  }
}
