/** Where a parameter's module is made. */
import { assignmentLine } from "./assignmentLine.ts";
import type { Evidence } from "./evidence.ts";

/** What tells of modules and files. */
interface Sources extends Pick<Evidence, "textOf"> {
  readonly report: {
    readonly modules: readonly {
      readonly path: string;
      readonly file: string | null;
      readonly line: number | null;
    }[];
  };
}

/** The line in its owner's class that sets it; the class where none is found. */
export function parameterPlace({ report, textOf }: Sources, name: string) {
  const parts = name.split(".");
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const owner = report.modules.find(({ path }) => path === parts.slice(0, depth).join("."));
    const attribute = parts[depth];
    if (!owner?.file || owner.line === null || attribute === undefined) continue;
    const line = assignmentLine(textOf(owner.file) ?? "", attribute, owner.line);
    return { file: owner.file, line: line ?? owner.line };
  }
  return { file: null, line: null };
}
