/**
 * The IR: an ONNX graph whose nodes carry, beside what ONNX has, where they came from.
 * Nodes stand in execution order. No pass edits a Graph in place: it returns another one.
 */
import type { Refusal } from "../errors.ts";
import type { DType, HostArray, Numbers, TensorType } from "./tensor.ts";

/**
 * One tensor of a graph.
 * - `parameter`: fed at every run, differentiable, an initializer only in an exported file
 * - `input`: fed at every run; `data` is what this run feeds
 * - `constant`: `data` is part of the graph
 * - `node`: made by a node
 */
export interface Value extends TensorType {
  readonly id: number;
  readonly role: "parameter" | "input" | "constant" | "node";
  /** Whether a gradient of the loss with respect to this value can exist (PyTorch's requires_grad). */
  readonly requiresGrad: boolean;
  readonly data: Numbers | null;
  /** The state_dict name, the argument's name, or null: names of other values are made when printed. */
  readonly name: string | null;
}

export type Attribute = number | string | readonly number[] | readonly string[] | HostArray | Graph;
export type Attrs = Readonly<Record<string, Attribute>>;

export interface Node {
  /**
   * ONNX's operator name in the domain ai.onnx, opset 23 or lower; in graphs for one provider also
   * an operator of its runtime with its domain, "com.microsoft.FusedMatMul".
   */
  readonly op: string;
  /** null: an optional input that is left out. */
  readonly inputs: readonly (Value | null)[];
  readonly outputs: readonly Value[];
  readonly attrs: Attrs;
  readonly origin: Origin;
}

/** What a node came from. Backward and statistics nodes carry the origin of the value they belong to. */
export interface Origin {
  readonly direction: "forward" | "backward" | "statistic";
  readonly call: TorchCall | null;
  /** Nodes whose gradient is one rule of the torch call (see GradientGroup), not their own. */
  readonly group: GradientGroup | null;
  /** One object for all nodes that one call of a torch function wrote, composite or within one. */
  readonly dispatch?: object;
  /** What PyTorch says where a number that the node looks up is outside; "{}" stands for the number. */
  readonly refusal?: Refusal;
  /** The gradient of the node's input goes past the hooks that are on it. */
  readonly isUnheard?: true;
}

/** One call of a torch function by user code (composite functions count once). */
export interface TorchCall {
  readonly id: number;
  /** Last part of PyTorch's name: "softmax", "add_", "linear". */
  readonly op: string;
  readonly site: Site;
  /** Path of the innermost module that was running ("" is the model itself), null outside of any. */
  readonly module: string | null;
  /** How often that module had been called before in this step. */
  readonly moduleCall: number;
}

/** A place in the user's source: one-based line, zero-based UTF-16 columns. */
export interface Site {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly function: string;
}

/**
 * Nodes that differentiate as one: PyTorch's gradient of the call is not that of its nodes
 * (norm at 0, user-made autograd.Function, an overwrite under no_grad).
 * `gradient` gets the gradients of `outputs` (null where none arrived) and returns those of
 * `inputs` (null: none).
 */
export interface GradientGroup {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
  /** `isWanted`: whether this walk needs the gradient of an input. */
  readonly gradient: (
    emit: Emit,
    dOutputs: readonly (Value | null)[],
    isWanted: (input: Value) => boolean,
  ) => readonly (Value | null)[];
}

export interface Graph {
  /** Parameters and inputs, in the order in which they are fed. */
  readonly inputs: readonly Value[];
  readonly nodes: readonly Node[];
  readonly outputs: readonly Value[];
}

/**
 * What gradient rules and torch calls write nodes with. `op` infers the type at once, so a wrong
 * rule fails where it is written; a node whose inputs are all constants is evaluated instead.
 */
export interface Emit {
  /** Whether what is written can be differentiated: not under torch.no_grad, nor in a gradient that nobody differentiates. */
  readonly gradMode: boolean;
  /** The first output of a new node. */
  op(type: string, inputs: readonly (Value | null)[], attrs?: Attrs): Value;
  /** The first `outputs` outputs of a new node. */
  ops(
    type: string,
    inputs: readonly (Value | null)[],
    attrs: Attrs | undefined,
    outputs: number,
  ): Value[];
  /** A constant; equal small constants are shared. */
  constant(array: HostArray): Value;
  /** A shared constant of rank 0. */
  scalar(value: number, dtype: DType): Value;
  /** A shared int64 constant of rank 1: axes, shapes, indices. */
  ints(values: readonly number[]): Value;
  /**
   * Nodes that differentiate as one, with respect to `inputs`, by `gradient` (see GradientGroup).
   * Every value that `make` returns is made by one of its nodes. Within another group: just `make`.
   */
  grouped(
    inputs: readonly Value[],
    make: () => readonly Value[],
    gradient: GradientGroup["gradient"],
  ): readonly Value[];
}
