/** A file's own source with the norms of its blocks elsewhere. */

export const placements = ["post", "pre", "peri", "rms"] as const;
export type RewriteTarget = (typeof placements)[number];

export interface RewriteRequest {
  /** The file's text. */
  readonly text: string;
  /** Class of the blocks, or of a model; null: all blocks of the file. */
  readonly entry: string | null;
  /** rms: LayerNorm becomes RMSNorm where it stands. */
  readonly to: RewriteTarget;
}

export type RewriteAnswer =
  | {
      readonly text: string;
      /** Placement that was found: "pre". */
      readonly from: string;
      /** Names of the classes whose blocks were converted. */
      readonly blocks: readonly string[];
    }
  /** Nothing is edited. */
  | { readonly refused: string; readonly line: number };
