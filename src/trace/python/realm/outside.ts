/**
 * All that Pyodide's realm gets from Node: functions whose arguments are plain values and views to
 * fill, and whose results are primitives. No object of Node's realm ever enters.
 */
export interface Outside {
  /** Milliseconds. */
  now(): number;
  decode(label: string, bytes: Uint8Array): string;
  /** Shows what Python says of itself; what the user's code prints is kept by Python. */
  write(bytes: Uint8Array): void;
  /** Size of a file of the build, in bytes. */
  assetSize(name: string): number;
  readAsset(name: string, into: Uint8Array): void;
  /** JSON of `FolderEntry[]`; "" where the folder cannot be read. */
  listFolder(mount: number, path: string): string;
  /** How many bytes were read; −1 where the file cannot be read. */
  readFile(mount: number, path: string, into: Uint8Array): number;
  /** A plain value; the realm copies it. A symbol says that it failed: see `takeFailure`. */
  callHost(index: number, args: readonly unknown[]): unknown;
  /** JSON of the `HostFailure` of the call before. */
  takeFailure(): string;
}

export interface FolderEntry {
  readonly name: string;
  /** "refused": a symbolic link that leaves the folder that was opened. */
  readonly kind: "file" | "folder" | "refused";
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** An error of a host function, on its way to become a Python exception. */
export interface HostFailure {
  /** Name of a built-in exception or of one of torch's. */
  readonly type: string;
  readonly message: string;
  readonly code: string | null;
  readonly hint: string | null;
  /** Set to raise again the Python exception that was described under this number. */
  readonly raised: number | null;
}

/** What the realm offers to Node's side, beside `load`. */
export interface Inside {
  load(withSnapshot: boolean): Promise<void>;
  makeSnapshot(): Uint8Array;
  mount(folder: string, mount: number): void;
  bindHost(names: readonly string[]): void;
  /**
   * Calls a function of a Python module; an `Outcome`. "ended": Python itself failed, as when its
   * stack ran over, and can do no more.
   */
  call(module: string, name: string, args: readonly unknown[]): unknown;
}

export type Outcome =
  | readonly ["value", unknown]
  | readonly ["error", unknown]
  | readonly ["unplain", null]
  | readonly ["ended", string];
