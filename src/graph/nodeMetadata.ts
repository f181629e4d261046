/** A node's origin ↔ the metadata_props of an exported node, under the keys of PyTorch's exporter and our own. */
import type { NodeProto } from "onnx-buf";
import type { Node, Origin, Site, TorchCall } from "./graph.ts";
import type { Metadata } from "./onnxProto.ts";
import { callOfPyTorch } from "./pytorchTrace.ts";
import { metadataFrom } from "./tensorProto.ts";

export interface MetadataOptions {
  /** Class by path of each module that ran; absent: every prefix of a path counts as a module. */
  readonly classes?: ReadonlyMap<string, string>;
  /** The text of a line of the source, for stack traces. */
  sourceLine?(file: string, line: number): string | null;
}

const keys = {
  stackTrace: "pkg.torch.onnx.stack_trace",
  nameScopes: "pkg.torch.onnx.name_scopes",
  classHierarchy: "pkg.torch.onnx.class_hierarchy",
  /** `file:line:column-line:column`: one-based lines, zero-based UTF-16 columns. */
  source: "normscope.src",
  function: "normscope.function",
  /** Number of the torch call, and how often its module had been called before. */
  call: "normscope.call",
  direction: "normscope.direction",
} as const;

export function metadataOf({ origin }: Node, options: MetadataOptions = {}): Metadata {
  const direction = origin.direction === "forward" ? {} : { [keys.direction]: origin.direction };
  const { call } = origin;
  if (call === null) return direction;
  const { file, line, column, endLine, endColumn } = call.site;
  const modules = modulesAround(call.module, options.classes);
  const classes = modules.map((path) => options.classes?.get(path) ?? "");
  return {
    [keys.stackTrace]: stackTrace(call.site, options.sourceLine?.(file, line) ?? null),
    [keys.nameScopes]: pythonList([...modules, call.op]),
    ...(options.classes ? { [keys.classHierarchy]: pythonList([...classes, call.op]) } : {}),
    [keys.source]: `${file}:${line}:${column}-${endLine}:${endColumn}`,
    [keys.function]: call.site.function,
    [keys.call]: `${call.id}.${call.moduleCall}`,
    ...direction,
  };
}

/** One origin for all nodes of a call: `calls` holds those that were read before. */
export function originFrom(node: NodeProto, calls: Map<string, TorchCall>): Origin {
  const metadata = metadataFrom(node.metadataProps);
  const direction = metadata[keys.direction];
  return {
    direction: direction === "backward" || direction === "statistic" ? direction : "forward",
    call: callFrom(metadata, calls) ?? callOfPyTorch(node, metadata, calls),
    group: null,
  };
}

function callFrom(metadata: Metadata, calls: Map<string, TorchCall>): TorchCall | null {
  const at = /^(.*):(\d+):(\d+)-(\d+):(\d+)$/.exec(metadata[keys.source] ?? "");
  const number = /^(\d+)\.(\d+)$/.exec(metadata[keys.call] ?? "");
  if (at === null || number === null) return null;
  const known = calls.get(number[0]);
  if (known) return known;
  const scopes = fromPythonList(metadata[keys.nameScopes] ?? "[]");
  const call: TorchCall = {
    id: Number(number[1]),
    op: scopes.at(-1) ?? "",
    site: {
      file: at[1] ?? "",
      line: Number(at[2]),
      column: Number(at[3]),
      endLine: Number(at[4]),
      endColumn: Number(at[5]),
      function: metadata[keys.function] ?? "",
    },
    module: scopes.at(-2) ?? null,
    moduleCall: Number(number[2]),
  };
  calls.set(number[0], call);
  return call;
}

/** "", "blocks.0", "blocks.0.ln_1" for "blocks.0.ln_1". */
function modulesAround(
  path: string | null,
  classes: ReadonlyMap<string, string> | undefined,
): string[] {
  if (path === null) return [];
  if (path === "") return [""];
  const parts = path.split(".");
  const prefixes = ["", ...parts.map((_, at) => parts.slice(0, at + 1).join("."))];
  return prefixes.filter((prefix) => prefix === path || (classes?.has(prefix) ?? true));
}

function stackTrace(site: Site, text: string | null): string {
  const frame = `File "${site.file}", line ${site.line}, in ${site.function}`;
  return text === null ? frame : `${frame}\n    ${text.trim()}`;
}

/** As Python's repr writes a list of strings. */
const pythonList = (items: readonly string[]): string =>
  `[${items.map((item) => `'${item.replace(/[\\']/g, "\\$&")}'`).join(", ")}]`;

const fromPythonList = (text: string): string[] =>
  [...text.matchAll(/'((?:[^\\']|\\.)*)'/g)].map((item) =>
    (item[1] ?? "").replace(/\\([\\'])/g, "$1"),
  );
