/** What a checkpoint file holds, whatever its format: a tree of plain values and tensors. */
import type { StoredTensor } from "./jobs.ts";

export const formats = ["safetensors", "PyTorch", "PyTorch (before 1.6)", "NumPy"] as const;
export type CheckpointFormat = (typeof formats)[number];

export interface Checkpoint {
  readonly format: CheckpointFormat;
  /** Absolute paths; more than one where the checkpoint is sharded. */
  readonly files: readonly string[];
  readonly root: Tree;
  /** `__metadata__` of safetensors. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** A value as Python's pickle can hold it, of the kinds that checkpoints are made of. */
export type Tree =
  | { readonly kind: "none" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "bytes"; readonly value: Uint8Array }
  | { readonly kind: "list" | "tuple" | "set" | "size"; readonly items: Tree[] }
  | { readonly kind: "dict" | "ordered"; readonly entries: [Tree, Tree][] }
  /** torch.float32, torch.device("cpu"), torch.strided. */
  | { readonly kind: "dtype" | "device" | "layout"; readonly name: string }
  | {
      readonly kind: "tensor";
      readonly tensor: StoredTensor;
      readonly isParameter: boolean;
      readonly requiresGrad: boolean;
    };

export const textTree = (value: string): Tree => ({ kind: "text", value });

export const tensorTree = (tensor: StoredTensor): Tree => ({
  kind: "tensor",
  tensor,
  isParameter: false,
  requiresGrad: false,
});

/** A flat dict of tensors. */
export const namedTensors = (tensors: Iterable<readonly [string, StoredTensor]>): Tree => ({
  kind: "dict",
  entries: Array.from(tensors, ([name, tensor]) => [textTree(name), tensorTree(tensor)]),
});
