/** `normscope doctor --install cuda`: shows what would be done, asks, does it. */
import { fileURLToPath } from "node:url";
import { wrongUsage } from "../../errors.ts";
import { formatBytes } from "../../present/number.ts";
import { leftColumn, type Table, textCell } from "../../present/table.ts";
import { type InstalledCuda, installCuda } from "../../setup/installCuda.ts";
import { type CudaPlan, planCuda, type SetupOptions } from "../../setup/planCuda.ts";
import { type Source, sourceText } from "../../setup/source.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { writeLines } from "../output.ts";
import { showProgress } from "../progress.ts";
import { textTable } from "../textTable.ts";
import { type OutputOptions, writeJson } from "./shared.ts";

export interface InstallOptions extends OutputOptions {
  readonly from?: string;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export async function installDevice(context: Context, options: InstallOptions): Promise<void> {
  const setup: SetupOptions = {
    env: process.env,
    packageFile: fileURLToPath(import.meta.url),
    workspaces: [context.cwd],
    from: options.from ?? null,
    force: options.force === true,
  };
  const plan = await planCuda(setup);
  const isQuiet = options.json === "-";
  if (!isQuiet) {
    const [, ...title] = heading("Set up CUDA", context.out);
    writeLines(context.out, [...title, ...textTable(planTable(plan), context.out), ""]);
  }
  if (options.dryRun) {
    writeJson(context, planData(plan), options.json);
    return;
  }
  if (!options.yes && !(await agreed(context))) {
    context.err.write("Nothing was changed\n");
    return;
  }
  const progress = showProgress(context.err, "CUDA");
  let done: InstalledCuda;
  try {
    done = await installCuda(plan, setup, progress.stage);
  } finally {
    progress.end();
  }
  if (!isQuiet) {
    const state = done.pending === null ? "CUDA works" : `installed; ${done.pending}`;
    writeLines(context.out, [`${state}: ${done.target}`]);
  }
  writeJson(context, { ...planData(plan), ...done }, options.json);
}

async function agreed(context: Context): Promise<boolean> {
  const answer = await context.confirm("Set it up?");
  if (answer === null)
    throw wrongUsage("Nobody can be asked here", "Agree to the set-up with --yes");
  return answer;
}

export function planTable({ cuda, source, target, driver, libraries }: CudaPlan): Table {
  const { bytes, sha256 } = sizeAndHash(source);
  const gpus = driver.gpus.map(({ name, totalBytes }) => `${name} (${formatBytes(totalBytes)})`);
  const found = libraries.found.map(({ folder }) => folder ?? "the system's own path");
  const facts: [string, string][] = [
    ["driver", [driver.version ?? (driver.isThere ? "found" : "none"), ...gpus].join(", ")],
    ["CUDA", `${cuda}, in ${[...new Set(found)].join(", ")}`],
    ["source", sourceText(source)],
    ["size", bytes === null ? "not known before it is fetched" : formatBytes(bytes)],
    ["SHA-256", sha256 ?? "not known before it is fetched"],
    ["target", target],
  ];
  return {
    title: "Set up CUDA",
    columns: [leftColumn(""), leftColumn("")],
    rows: facts.map(([label, text]) => [textCell(label, "dim"), textCell(text)]),
  };
}

const sizeAndHash = (source: Source): { bytes: number | null; sha256: string | null } =>
  "sha256" in source ? source : { bytes: null, sha256: null };

const planData = ({ cuda, source, target, driver, libraries, runtime }: CudaPlan) => ({
  cuda,
  onnxruntime: runtime.version,
  source: sourceText(source),
  ...sizeAndHash(source),
  target,
  driver,
  libraries: libraries.found,
});
