/** Entropy and largest logit of every attention head, layer by layer. */
import { stacks } from "../../src/present/blocks.ts";
import { groupBy } from "../../src/present/groupBy.ts";
import type { AttentionReport, Num, RunReport } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";
import type { Grid } from "./grid.ts";

export interface AttentionGrids {
  readonly entropy: Grid;
  readonly maxLogit: Grid;
}

type Head = AttentionReport["heads"][number];

/** One pair for each line with attention: a decoder's self-attention and cross-attention differ. */
export function attentionGrids(report: RunReport): AttentionGrids[] {
  const byLine = groupBy(report.attention, ({ file, line }) => `${file}:${line}`);
  return Array.from(byLine, ([place, layers]) => ({
    entropy: grid(report, place, layers, {
      title: t("Entropy"),
      definition: t("mean over the rows of the attention weights' entropy, in nats"),
      of: ({ entropy }) => entropy,
    }),
    maxLogit: grid(report, place, layers, {
      title: t("Largest logit"),
      definition: t("largest score before the softmax, after the scaling"),
      of: ({ maxLogit }) => maxLogit,
    }),
  }));
}

interface HeadNumber {
  readonly title: string;
  readonly definition: string;
  readonly of: (head: Head) => Num | null;
}

function grid(
  report: RunReport,
  where: string,
  layers: readonly AttentionReport[],
  { title, definition, of }: HeadNumber,
): Grid {
  const count = Math.max(0, ...layers.map(({ heads }) => heads.length));
  const place = layers[0] === undefined ? null : { file: layers[0].file, line: layers[0].line };
  return {
    title: `${title}, ${where}`,
    definition,
    across: t("layer"),
    columns: layerLabels(report, layers),
    rows: Array.from({ length: count }, (_, head) => ({
      label: t("head {0}", head),
      place,
      values: layers.map(({ heads }) => {
        const it = heads[head];
        return it === undefined ? null : of(it);
      }),
    })),
  };
}

/** The block's position where the layers are in blocks, one each; else the module's path. */
function layerLabels(report: RunReport, layers: readonly AttentionReport[]): string[] {
  const blocks = stacks(report).flatMap((stack) => stack.blocks);
  const labels = layers.map(({ path }, i) => {
    const block = blocks.find(
      (it) => path === it.block.path || path?.startsWith(`${it.block.path}.`),
    );
    return block?.label ?? path ?? String(i);
  });
  const isUnique = new Set(labels).size === labels.length;
  return isUnique
    ? labels
    : layers.map(({ path, call }) => (call === 0 ? `${path}` : `${path} #${call}`));
}
