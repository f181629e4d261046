/** A triangular mask that does not hide the future: of a wrong sense, or of numbers that hide nothing. */
import type { Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { Treatment } from "../stats/foundAttention.ts";
import { type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Below it a score has no weight. */
const hidden = -1e3;

export const weakMask = ({ structure, report }: Evidence): Finding[] =>
  oncePerLine(
    structure.attention.flatMap(({ call, treatments }): Finding[] => {
      const { file, line } = call.site;
      const seen = report.attention.find(
        (one) => one.file === file && one.line === line && one.path === call.module,
      )?.sees;
      // The other cases are attention/mask-flipped and attention/sees-future.
      // Behind a flipped one of finite numbers the last position has no key, and even weights.
      if (!seen?.future || seen.hidesFuture || (!seen.past && seen.hiddenRows === 0)) return [];
      const masks = treatments.flatMap((treatment) => maskOf(treatment) ?? []);
      const [mask] = masks;
      if (!mask || masks.length > 1) return [];
      const { site } = mask.treatment.node.origin.call ?? call;
      const isFlipped = mask.hidesPast;
      return [
        {
          code: isFlipped ? "attention/mask-flipped" : "attention/mask-weak",
          severity: isFlipped ? "error" : "warning",
          message: isFlipped
            ? `The mask (line ${site.line}) hides what is before a position and leaves what is behind it: it has the wrong sense`
            : `A triangular mask (line ${site.line}) ${mask.text}, and positions give weight up to ${seen.farthest} ahead: only -inf, or a number far below all scores, hides`,
          file: site.file,
          line: site.line,
          module: call.module,
          evidence: { "farthest ahead": seen.farthest },
        },
      ];
    }),
  );

interface Mask {
  readonly treatment: Treatment;
  readonly hidesPast: boolean;
  readonly text: string;
}

/** null: what is done to the scores does not differ between before and behind. */
function maskOf(treatment: Treatment): Mask | null {
  const { node, scores } = treatment;
  const [condition, yes, no] = node.inputs;
  if (node.op === "Where" && condition) {
    const sides = sidesOf(condition);
    const other = yes === scores ? no : yes;
    const fill = other?.data?.[0];
    if (!sides || fill === undefined) return null;
    const fillsFuture = (sides.above !== 0) === (other === yes);
    const text = `sets the scores of ${fillsFuture ? "later" : "earlier"} positions to ${figure(Number(fill))}`;
    return { treatment, hidesPast: !fillsFuture && Number(fill) < hidden, text };
  }
  const other = node.inputs.find((input) => input !== null && input !== scores);
  const sides = other ? sidesOf(other) : null;
  if (!sides) return null;
  const { above, below } = sides;
  if (node.op === "Add")
    return {
      treatment,
      hidesPast: below < hidden && above > hidden,
      text: `adds ${figure(above)} to the scores of later positions and ${figure(below)} to those of earlier ones`,
    };
  if (node.op !== "Mul") return null;
  return {
    treatment,
    hidesPast: false,
    text: `multiplies the scores of later positions by ${figure(above)}`,
  };
}

/** The one number above the diagonal of a square, and the other one below it. */
function sidesOf({ shape, data }: Value): { above: number; below: number } | null {
  const [rows = 0, columns = 1] = shape.slice(-2);
  if (!data || shape.length < 2 || rows !== columns || rows < 3 || data.length !== rows * columns)
    return null;
  const [above, below] = [Number(data[1]), Number(data[columns])];
  if (above === below) return null;
  const isWhole = data.every((number, at) => {
    const distance = (at % columns) - Math.floor(at / columns);
    return distance === 0 || Number(number) === (distance > 0 ? above : below);
  });
  return isWhole ? { above, below } : null;
}
