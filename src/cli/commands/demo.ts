/** What `npm start` shows: the bundled Pre-LN and Post-LN decoders, side by side. */
import { join, relative } from "node:path";
import { reportPage } from "../../present/html/reportPage.ts";
import type { ReportSide } from "../../present/reportSide.ts";
import { type Table, textCell } from "../../present/table.ts";
import type { Device } from "../../protocol/engine.ts";
import type { Context } from "../context.ts";
import { heading } from "../heading.ts";
import { modelRequest } from "../modelRequest.ts";
import { writeLines } from "../output.ts";
import { reportText } from "../reportText.ts";
import { textTable } from "../textTable.ts";
import { exportModel, fileTable } from "./export.ts";
import { blockLines, runModel } from "./shared.ts";

const shown = [
  { name: "Pre-LN", file: "pre_ln.py", entry: "PreLNTransformer" },
  { name: "Post-LN", file: "post_ln.py", entry: "PostLNTransformer" },
] as const;

const folder = "out";
const plainGraph = { storage: "auto", dynamic: false, backward: false, statistics: false } as const;

export async function demo(
  context: Context,
  options: { readonly device: Device; readonly seed: number },
): Promise<void> {
  const sides: ReportSide[] = [];
  const exported: Table[] = [];
  for (const { name, file, entry } of shown) {
    const target = `${relative(context.cwd, join(context.modelsFolder, file))}:${entry}`;
    const request = modelRequest(target, { set: {}, input: [], seed: options.seed }, context.cwd);
    const report = await runModel(context, request, options);
    const lines = blockLines(context, report, request.root);
    sides.push({ name, report, files: lines === null ? [] : [lines] });
    const onnx = join(folder, file.replace(/\.py$/, ".onnx"));
    exported.push(fileTable(await exportModel(context, request, onnx, plainGraph), folder));
  }
  const html = join(folder, "normscope.html");
  context.files.write(join(context.cwd, html), reportPage(sides));
  writeLines(context.out, [
    context.out.paint("strong", "Pre-LN and Post-LN: the same parts, seed and data"),
    "",
    ...reportText(sides, context.out),
    ...heading("Written", context.out),
    ...textTable(together(exported, html), context.out),
  ]);
}

const together = (exported: readonly Table[], html: string): Table => ({
  title: "Written",
  columns: exported[0]?.columns ?? [],
  rows: [
    ...exported.flatMap(({ rows }) => rows),
    [textCell(html), textCell(""), textCell("the depth profiles as charts, for a browser")],
  ],
});
