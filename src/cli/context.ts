/** What every command works with; tests replace each part. */
import type { Engine } from "../client/engineClient.ts";
import type { Output } from "./output.ts";
import type { OutputFiles } from "./outputFiles.ts";

export interface Context {
  readonly out: Output;
  readonly err: Output;
  readonly cwd: string;
  /** Absolute path of the models that come with Normscope. */
  readonly modelsFolder: string;
  readonly files: OutputFiles;
  readonly isDebug: boolean;
  /** Whether the person at the terminal agrees; null where there is none. */
  confirm(question: string): Promise<boolean | null>;
  /** Started by the first call. */
  engine(): Engine;
  /** A further one, for work beside it; whoever asks for it ends it. */
  newEngine(): Engine;
  /** The words that start this program again, without arguments. */
  readonly ownCommand: readonly string[];
  /**
   * Ctrl-C calls `stop` in the place of ending the process, until it is released or comes a second
   * time.
   */
  onInterrupt(stop: () => void): () => void;
}
