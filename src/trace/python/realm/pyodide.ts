/** The parts of Pyodide that its type declarations leave out. */
import { loadPyodide } from "pyodide";
// @ts-expect-error: the module that Emscripten wrote has no declarations.
import createPyodideModule from "pyodide/pyodide.asm.mjs";

export interface PythonObject {
  (...args: unknown[]): unknown;
  destroy(): void;
  toJs(options: object): unknown;
}

export interface Pyodide {
  readonly FS: EmscriptenFs;
  runPython(code: string): unknown;
  pyimport(name: string): PythonObject & Record<string, PythonObject>;
  toPy(value: unknown): unknown;
  setStdin(options: object): void;
  setStdout(options: object): void;
  setStderr(options: object): void;
  makeMemorySnapshot(): Uint8Array;
}

export interface EmscriptenFs {
  readonly filesystems: { readonly MEMFS: MemoryFs };
  readonly ErrnoError: new (errno: number) => Error;
  mount(type: object, options: object, folder: string): void;
  mkdirTree(folder: string): void;
}

export interface MemoryFs {
  createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
}

export interface FsNode {
  mode: number;
  mtime: number;
  usedBytes: number;
  contents: Uint8Array | Record<string, FsNode>;
  node_ops: NodeOps;
  stream_ops: object;
}

export interface NodeOps {
  lookup(parent: FsNode, name: string): FsNode;
  readdir(node: FsNode): string[];
  rmdir(parent: FsNode, name: string): void;
  rename(node: FsNode, folder: FsNode, name: string): void;
  setattr(node: FsNode, attributes: { size?: number }): void;
}

/** Loads Python; from the memory image `snapshot`, else slowly, so that an image can be made. */
export async function loadPython(snapshot: Uint8Array | null): Promise<Pyodide> {
  const start = snapshot === null ? { _makeSnapshot: true } : { _loadSnapshot: snapshot };
  const options = {
    ...start,
    indexURL: "/",
    env: { HOME: "/home/user" },
    convertNullToNone: true,
    jsglobals: Object.create(null),
    createPyodideModule: async (settings: object): Promise<PythonModule> => {
      const module: PythonModule = await createPyodideModule(settings);
      if (snapshot !== null) makeRoom(module, snapshot);
      return module;
    },
    lockFileContents: { packages: {}, info: lockInfo },
    stdin: () => null,
    stdout: () => undefined,
    stderr: () => undefined,
  };
  return (await loadPyodide(options as unknown as object)) as unknown as Pyodide;
}

interface PythonModule {
  readonly HEAP8: Int8Array;
  _malloc(bytes: number): number;
}

/**
 * Python's memory begins with the size that its WebAssembly says. An image of more is copied over it
 * whole, so that what is allocated here to make it grow is nobody's afterwards.
 */
function makeRoom(module: PythonModule, snapshot: Uint8Array): void {
  const [, head = 0] = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2);
  const needed = snapshot.length - head;
  if (needed <= module.HEAP8.length) return;
  module._malloc(needed);
  module.HEAP8.fill(0, needed);
}

/** No package comes from Pyodide's own index; it only compares these with the build's. */
const lockInfo = {
  abi_version: "2026_0",
  version: "314.0.7",
  arch: "wasm32",
  platform: "emscripten",
  python: "3.14.2",
};
