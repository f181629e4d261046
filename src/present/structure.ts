/** What a report says of the model's structure, in one line a stack. */
import type { NormReport, RunReport } from "../protocol/report.ts";
import { isWithin, type Stack, stacks } from "./blocks.ts";

/** "12 × Pre-LN, LayerNorm (eps 1e-5), closed by the norm of model.py:40"; empty: no blocks. */
export function structureTexts(report: RunReport): { label: string; text: string }[] {
  return stacks(report).map((stack) => ({
    label: stack.path === "" ? "blocks" : stack.path,
    text: stackText(report, stack),
  }));
}

function stackText(report: RunReport, { blocks }: Stack): string {
  const placements = [...new Set(blocks.map(({ block }) => block.placement))];
  const paths = blocks.map(({ block }) => block.path);
  const own = report.norms.filter(({ path }) => paths.some((block) => isWithin(path, block)));
  const isParallel = blocks.some(({ block }) => block.parallel);
  const end = blocks.at(-1)?.block.end;
  return [
    `${blocks.length} × ${placements.join(" and ")}${isParallel ? ", parallel branches" : ""}`,
    normsText(
      own,
      blocks.flatMap(({ block }) => block.norms ?? []),
    ),
    end === undefined ? "" : endText(end),
  ]
    .filter((part) => part !== "")
    .join(", ");
}

const endText = ({ normed, file, line }: { normed: boolean; file: string; line: number }): string =>
  `${normed ? "normalised" : "not normalised"} where ${file}:${line} reads it`;

/** "RMSNorm (eps 1e-6)", "LayerNorm (eps 1e-6 outside of the root)"; "BatchNorm" is not measured. */
function normsText(norms: readonly NormReport[], kinds: readonly string[]): string {
  const texts = norms.flatMap(({ kind, eps, epsPlace = "inside" }) =>
    kind === undefined ? [] : [`${kind} (${epsText(eps, epsPlace)})`],
  );
  const others = kinds.filter((kind) => !norms.some((norm) => norm.kind === kind));
  return [...new Set([...texts, ...others])].join(" and ");
}

function epsText(eps: number, place: NonNullable<NormReport["epsPlace"]>): string {
  const number = `eps ${eps >= 1e-4 ? eps : eps.toExponential()}`;
  if (place === "none") return "no eps";
  if (place === "outside") return `${number} outside of the root`;
  return place === "clamp" ? `root at least ${number}` : number;
}
