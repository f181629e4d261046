/** What `normscope doctor FILE` says of a file: what can be read of it, without running it. */

export interface SurveyRequest {
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Path of the file below `root`, with forward slashes. */
  readonly file: string;
  /** Absolute path of a folder with pure-Python packages, or null. */
  readonly packages: string | null;
}

export interface FileSurvey {
  /** Where the file is no Python; everything else is then empty. */
  readonly syntaxError: { readonly line: number; readonly message: string } | null;
  /** It has `build` and `step`, and runs as it stands. */
  readonly isScript: boolean;
  readonly imports: readonly SurveyedImport[];
  /** Those that would stop a run first. */
  readonly calls: readonly SurveyedCall[];
  readonly classes: readonly SurveyedClass[];
}

export interface SurveyedImport {
  /** As written, with the dots of a relative import. */
  readonly name: string;
  readonly line: number;
  /**
   * stand-in: Normscope's own (torch, numpy, einops); standard: Python's library; package: in the
   * folder of packages; missing: a placeholder, refused at first use.
   */
  readonly kind: "local" | "stand-in" | "standard" | "package" | "missing";
  /** It stands in a `try` that catches an ImportError: where it is missing, that raises. */
  readonly guarded: boolean;
}

export interface SurveyedCall {
  /** "torch.nn.Linear"; "Tensor.view" for a method of something that the text does not name. */
  readonly name: string;
  /** unknown: PyTorch has no such name either. */
  readonly state: "supported" | "unsupported" | "unknown";
  readonly nearest: readonly string[];
  /** One-based. */
  readonly lines: readonly number[];
}

export interface SurveyedClass {
  readonly name: string;
  readonly line: number;
  readonly hasForward: boolean;
  readonly arguments: readonly SurveyedArgument[];
}

/** A constructor argument; where all three are null it must be given with --set. */
export interface SurveyedArgument {
  readonly name: string;
  /** Source text. */
  readonly default: string | null;
  /** What a run gives it where nothing is said, by its name. */
  readonly madeUp: string | null;
  /** The class of the config object that a run makes for it. */
  readonly config: string | null;
}
