/** Constants that a block multiplies its stream or its branches with, and branches that it adds twice. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import type { Block } from "../stats/blocks.ts";
import type { ResidualAdd } from "../stats/residual.ts";
import { counted, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** Above it, what a sum takes of its stream is weighed and not lost. */
const largestShare = 0.75;

export const branchFactors = (evidence: Evidence): Finding[] =>
  oncePerLine(
    evidence.structure.blocks.flatMap((block) => [
      ...block.residual.adds.flatMap((add) => ofAdd(evidence, block, add)),
      ...addedTwice(evidence, block),
    ]),
  );

function ofAdd(evidence: Evidence, block: Block, { skip, branch, site }: ResidualAdd): Finding[] {
  const [own, other] = [constantFactor(evidence, skip), constantFactor(evidence, branch)];
  if (!site) return [];
  const placeOf = (node: Node | null) => {
    const { file, line } = node?.origin.call?.site ?? site;
    return { file, line, module: block.path };
  };
  if (other.factor === 0)
    return [
      {
        code: "block/zero-branch",
        severity: "warning",
        message: `The branch that ${block.path} adds here is multiplied by 0: it adds nothing, and its weights get no gradient`,
        ...placeOf(other.node),
        evidence: { block: block.path, factor: 0 },
      },
    ];
  // (x + f(x)) / 2 is read by the next branch too, and scales both.
  const isOwn = own.node !== null && evidence.structure.producers.readersOf(skip).length === 1;
  const [a, b] = [Math.abs(own.factor), Math.abs(other.factor)];
  // What keeps the size of the sum, or makes it a mean of both, weighs them.
  const isWeighed = isNear(a * a + b * b, 1) || isNear(a + b, 1);
  const isSmall = a <= largestShare && a < b && !isWeighed;
  if (!isOwn || !(isSmall || own.factor < 0 || a === 0)) return [];
  const sums = evidence.structure.blocks.length;
  return [
    {
      code: "block/scaled-stream",
      severity: "warning",
      message: `${block.path} multiplies its stream by ${figure(own.factor)} and adds a branch to that: ${own.factor === 0 ? "what came in is lost" : `of what came in, ${counted(sums, "such sum")} leave ${figure(own.factor ** sums)}`}, and so of the gradient`,
      ...placeOf(own.node),
      evidence: { block: block.path, factor: own.factor, "branch's factor": other.factor },
    },
  ];
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < 0.02;

/** The numbers that a value is multiplied with last, as one; 1 and no node: with none. */
export function constantFactor({ structure }: Evidence, value: Value) {
  const { producers } = structure;
  let factor = 1;
  let at = value;
  const first = producers.makerOf(value);
  let node = first;
  while (node) {
    const [a, b] = node.inputs;
    const scalar = [b, a].find((one) => one?.role === "constant" && one.data?.length === 1);
    const next = scalar === b ? a : b;
    const number = Number(scalar?.data?.[0] ?? Number.NaN);
    if (node.op === "Neg" && a) {
      factor = -factor;
      at = a;
    } else if (node.op === "Mul" && next && Number.isFinite(number)) {
      factor *= number;
      at = next;
    } else if (node.op === "Div" && scalar === b && next && number !== 0) {
      factor /= number;
      at = next;
    } else break;
    node = producers.makerOf(at);
  }
  return { factor, node: at === value ? null : first };
}

function addedTwice({ structure: { found } }: Evidence, { residual, path }: Block): Finding[] {
  const first = new Map<number, ResidualAdd>();
  return residual.adds.flatMap((add): Finding[] => {
    const id = found.baseOf(found.idOf(add.branch));
    const before = first.get(id);
    first.set(id, before ?? add);
    if (!before?.site || !add.site) return [];
    return [
      {
        code: "block/branch-twice",
        severity: "warning",
        message: `${path} adds a branch to its stream that line ${before.site.line} has added before: it counts twice, and another branch may be missing`,
        file: add.site.file,
        line: add.site.line,
        module: path,
        evidence: { block: path, "first sum on line": before.site.line },
      },
    ];
  });
}
