/** `normscope doctor`: versions, devices with what each is missing, memory. */
import { formatBytes } from "../../present/number.ts";
import { leftColumn, type Table, textCell } from "../../present/table.ts";
import type { DoctorReport } from "../../protocol/engine.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { writeLines } from "../output.ts";
import { textTable } from "../textTable.ts";
import { type OutputOptions, writeJson, writeTablePage } from "./shared.ts";

export async function doctor(context: Context, options: OutputOptions): Promise<void> {
  const report = await context.engine().doctor();
  const tables = doctorTables(report);
  if (options.json !== "-") {
    const texts = tables.flatMap((table, i) => [
      ...heading(table.title, context.out).slice(i === 0 ? 1 : 0),
      ...textTable(table, context.out),
    ]);
    writeLines(context.out, texts);
  }
  writeJson(context, report, options.json);
  writeTablePage(context, "Normscope doctor", tables, options);
}

export function doctorTables(report: DoctorReport): Table[] {
  const { versions, providers, memory, processors, driver } = report;
  const facts = [
    ...Object.entries(versions),
    ["processors", String(processors)],
    ["memory", `${formatBytes(memory.freeBytes)} free of ${formatBytes(memory.totalBytes)}`],
    ...(driver ? [["NVIDIA driver", driver.version ?? "of an unknown version"]] : []),
    ...(driver?.gpus ?? []).map(({ name, totalBytes, freeBytes }) => [
      "GPU",
      `${name}, ${formatBytes(freeBytes)} free of ${formatBytes(totalBytes)}`,
    ]),
  ];
  return [
    {
      title: "System",
      columns: [leftColumn(""), leftColumn("")],
      rows: facts.map(([label = "", text = ""]) => [textCell(label, "dim"), textCell(text)]),
    },
    {
      title: "Devices",
      columns: ["device", "state", "reason", "what to do"].map(leftColumn),
      rows: providers.map(({ name, works, reason, remedy }) => [
        textCell(name),
        works ? textCell("works") : textCell("does not work", "warning"),
        textCell(reason ?? ""),
        textCell(remedy ?? ""),
      ]),
    },
  ];
}
