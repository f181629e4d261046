/** One script's trace: what Python's calls have added so far, and what the report will need of it. */
import type { GradientHooks } from "../autodiff/addGradients.ts";
import { invariant } from "../errors.ts";
import type { Origin, Site, TorchCall, Value } from "../graph/graph.ts";
import { type DType, type Numbers, numel, type TensorType } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import { createGenerator, type Generator, type GeneratorState } from "../random/generator.ts";
import type { TokenSource } from "../tokens/tokenSource.ts";
import type { StoredTensor } from "../weights/jobs.ts";
import type { RunBackward } from "./customFunction.ts";
import { separateLeaves } from "./leafWindows.ts";
import type {
  TracedAttention,
  TracedBranch,
  TracedDropout,
  TracedGap,
  TracedModule,
  TracedModuleCall,
  TracedNorm,
  TracedTensor,
  TracedValue,
} from "./program.ts";
import { toPythonPath } from "./python/paths.ts";
import type { Saved } from "./savedTensors.ts";
import { createStore, type Store } from "./store.ts";
import type { Tensor } from "./tensor.ts";
import { traced } from "./traced.ts";

export interface Session {
  readonly store: Store;
  emit: Emitter;
  /** The one that random calls draw from now. */
  generator: Generator;
  /** PyTorch's default generator, then those that the script made. */
  readonly generators: Generator[];
  defaultFloat: DType;
  /** Sizes that are to stay free: what has such an axis is computed in the graph. */
  freeSizes: ReadonlySet<number>;
  /** Models are only counted: their tensors get neither memory nor numbers. */
  countsOnly: boolean;
  /** The type that torch.autocast computes in; null: it is off. */
  autocast: DType | null;
  /** By value id, leaves in that type: each is cast once until autocast ends. */
  readonly castLeaves: Map<number, Tensor>;
  /** Absolute path of the workspace: files of the report are relative to it. */
  root: string;
  readonly sites: Site[];
  readonly scriptFiles: Set<string>;
  /** The call of user code that is running, and how deep within it we are. */
  running: TorchCall | null;
  depth: number;
  calls: number;
  readonly values: TracedValue[];
  readonly modules: Map<string, MutableModule>;
  readonly moduleStack: ModuleFrame[];
  moduleOrder: number;
  readonly norms: TracedNorm[];
  readonly attention: TracedAttention[];
  readonly dropouts: TracedDropout[];
  readonly branches: TracedBranch[];
  readonly gaps: TracedGap[];
  /** What is fed at a run, in the order of first use. */
  readonly graphInputs: Value[];
  /** The inputs of the graph that parameters became, by tensor id. */
  readonly entered: Map<number, Value>;
  /** Tensors of which the step made leaves after it had used them, by id. */
  readonly leaves: Map<number, Value>;
  readonly inputs: { readonly name: string; readonly tensor: Tensor; readonly value: Value }[];
  /** The origin of what is computed now, while the walk goes backwards. */
  walk: Origin | null;
  /** The backward of a torch.autograd.Function. */
  runBackward: RunBackward;
  /** Functions whose forward is running: what each is differentiated by. */
  readonly functions: (readonly Value[])[];
  /** Numbers of Python's gradient hooks, by value id. */
  readonly hooks: Map<number, readonly number[]>;
  /** Of leaves that had hooks before the step, by tensor id. */
  readonly leafHooks: Map<number, readonly number[]>;
  readonly parameters: NamedParameter[];
  /** Whether steps of training are taken with what is traced. */
  trains: boolean;
  /** What the step is given that is taken once more; null: it is the first. */
  next: NextStep | null;
  /** What the script's own step drew first: its batch, which stays. */
  readonly batchDraws: Numbers[];
  batchDrawn: number;
  /** The generator where the step began. */
  drawnFrom: GeneratorState;
  readonly draws: StepDraw[];
  /** Where numbers that another step would change decided what is traced. */
  readonly looks: Site[];
  /** What PyTorch saves for backward, by the dispatch (see Origin) that needs it. */
  readonly saved: WeakMap<object, SavedTensors>;
  /** Dispatches of which a walk within the step has used up what was saved. */
  readonly freed: WeakSet<object>;
  /** Walks backwards so far, and where the last one began. */
  readonly walks: { count: number; ends: readonly Value[] };
  /** What a walk backwards within the step tells Python of. */
  walkHooks: GradientHooks;
  /** By value id, gradients that walks within the step have found: what a hook has seen. */
  readonly seenWithin: Map<number, Value>;
  /** By value id, its gradient after one hook, after two, …: of values that have hooks. */
  readonly hooked: Map<number, readonly Value[]>;
  /** Whether the step has called backward(), which leaves gradients in leaves. */
  callsBackward: boolean;
  /** Checkpoints of PyTorch's older kind that are running: autograd sees what they compute later. */
  recomputed: number;
  /** Whether what Python computes in a walk backwards can be differentiated. */
  createsGraph: boolean;
  /** What Python runs now belongs to the walk backwards: its modules are not of the step. */
  isStepOver: boolean;
  readonly checkpoints: Checkpoints;
  readonly tokens: Tokens;
  readonly options: SessionOptions;
}

export interface NextStep {
  /** By name: the weights that the last step came to. */
  readonly parameters: ReadonlyMap<string, Numbers>;
  /** By argument: the batch of a task. */
  readonly inputs: ReadonlyMap<string, Numbers>;
  /** Whether buffers go on from what the last step made of them. */
  readonly keepsBuffers: boolean;
  /** Where the generator goes on; null: from where the last step left it. */
  readonly from: GeneratorState | null;
}

/** Tensors of the checkpoints that were opened, and what the request names. */
export interface Checkpoints {
  /** Absolute path; null where the request names none. */
  given: string | null;
  readonly tensors: StoredTensor[];
}

/** Numbers that the step drew, an input of the graph that holds them: dropout's mask, noise. */
export interface StepDraw {
  readonly value: Value;
  /** The same from elsewhere in the generator's sequence. */
  readonly draw: (generator: Generator) => Numbers;
}

/** The token file that the request names. */
export interface Tokens {
  given: { readonly file: string; readonly tokenizer: string | null } | null;
  opened: TokenSource | null;
}

/** A parameter of the model and the other names that stand for it. */
export interface NamedParameter {
  readonly tensor: Tensor;
  readonly name: string;
  readonly aliases: readonly string[];
}

export interface SavedTensors {
  readonly op: string;
  readonly tensors: readonly Saved[];
}

export interface SessionOptions {
  /** Numbers of a value that only the runtime can compute. */
  evaluate(value: Value, session: Session): Numbers;
}

export interface MutableModule extends Omit<TracedModule, "calls"> {
  readonly calls: TracedModuleCall[];
}

export interface ModuleFrame {
  readonly path: string;
  readonly call: number;
  readonly inputs: readonly TracedTensor[];
  readonly held: readonly TracedTensor[];
  readonly firstCall: number;
}

/** Where no line of the user's is running: a made-up input, the inferred loss. */
const unknownSite: Site = {
  file: "<script>",
  line: 1,
  column: 0,
  endLine: 1,
  endColumn: 0,
  function: "<module>",
};

export function createSession(options: SessionOptions): Session {
  // While the model is made all numbers are known: whatever is computed from them is too.
  const emit = createEmitter({ foldsAll: true });
  const generator = createGenerator(0);
  const session: Session = {
    store: createStore(emit, {
      evaluate(value) {
        noteDependence(session, value);
        return options.evaluate(value, session);
      },
      isFree: (type) => hasFree(session.freeSizes, type),
      entered(tensor, value) {
        session.graphInputs.push(value);
        session.entered.set(tensor.id, value);
        const hooks = session.leafHooks.get(tensor.id);
        if (hooks !== undefined) session.hooks.set(value.id, hooks);
        const { name } = tensor;
        if (tensor.entersAs === "input" && name !== null)
          session.inputs.push({ name, tensor, value });
      },
    }),
    emit,
    generator,
    generators: [generator],
    defaultFloat: "float32",
    countsOnly: false,
    freeSizes: new Set(),
    autocast: null,
    castLeaves: new Map(),
    root: "",
    sites: [unknownSite],
    scriptFiles: new Set([unknownSite.file]),
    running: null,
    depth: 0,
    calls: 0,
    values: [],
    modules: new Map(),
    moduleStack: [],
    moduleOrder: 0,
    norms: [],
    attention: [],
    dropouts: [],
    branches: [],
    gaps: [],
    graphInputs: [],
    entered: new Map(),
    leaves: new Map(),
    inputs: [],
    walk: null,
    runBackward: () => [],
    functions: [],
    hooks: new Map(),
    leafHooks: new Map(),
    parameters: [],
    trains: false,
    next: null,
    batchDraws: [],
    batchDrawn: 0,
    drawnFrom: generator.getState(),
    draws: [],
    looks: [],
    saved: new WeakMap(),
    freed: new WeakSet(),
    walks: { count: 0, ends: [] },
    walkHooks: {},
    seenWithin: new Map(),
    hooked: new Map(),
    callsBackward: false,
    createsGraph: false,
    recomputed: 0,
    isStepOver: false,
    checkpoints: { given: null, tensors: [] },
    tokens: { given: null, opened: null },
    options,
  };
  return session;
}

/** The result of the running call has a shape that depends on computed numbers. */
function noteDependence(session: Session, { shape }: Value): void {
  const { running, branches, store, walk, depth } = session;
  // While gradients are computed the call that they are of is running, and Python's own within it.
  const isCalled = walk === null ? running !== null : depth > 1;
  if (running === null || !isCalled || !store.inStep) return;
  session.looks.push(running.site);
  const { file, line } = running.site;
  if (branches.some((branch) => branch.file === file && branch.line === line)) return;
  const value = `[${numel(shape)}]`;
  branches.push({ file, line, value, taken: value });
}

/**
 * From here on parameters are inputs of the graph, and what is computed from them is symbolic.
 * Called again, it forgets what the step before had traced.
 */
/** Another model is made after a step: all of its numbers are known again. */
export function beginConstruction(session: Session): void {
  const { store } = session;
  if (!store.inStep) return;
  const emit = createEmitter({ foldsAll: true });
  emit.gradMode = session.emit.gradMode;
  session.emit = emit;
  store.emit = emit;
  store.inStep = false;
}

export function beginStep(session: Session, parameters: readonly NamedParameter[]): void {
  const { store } = session;
  const { freeSizes } = session;
  const emit = createEmitter({
    mayFold: (op, inputs, out) => isCheap(op, inputs) && !out.some((it) => hasFree(freeSizes, it)),
  });
  emit.gradMode = session.emit.gradMode;
  session.emit = emit;
  store.emit = emit;
  store.inStep = true;
  session.isStepOver = false;
  session.callsBackward = false;
  for (const tensor of store.all()) {
    tensor.cached = null;
    if (tensor.entersAs !== null && tensor.storage.numbers !== null) tensor.storage.value = null;
  }
  separateLeaves(store, parameters, session.trains);
  for (const { tensor, name } of parameters) tensor.name = name;
  session.parameters.splice(0, Number.POSITIVE_INFINITY, ...parameters);
  for (const list of [session.values, session.graphInputs, session.inputs, session.norms])
    list.length = 0;
  for (const list of [session.attention, session.branches, session.gaps]) list.length = 0;
  session.dropouts.length = 0;
  for (const list of [session.draws, session.looks]) list.length = 0;
  for (const map of [session.modules, session.entered, session.hooks]) map.clear();
  for (const map of [session.seenWithin, session.hooked]) map.clear();
  session.moduleStack.length = 0;
  session.batchDrawn = 0;
  session.drawnFrom = session.generator.getState();
  for (const { tensor, name } of parameters) {
    const trained = session.next?.parameters.get(name);
    if (trained !== undefined && tensor.storage.numbers !== null) store.setNumbers(tensor, trained);
  }
  if (session.next === null) session.batchDraws.length = 0;
  session.running = null;
  session.depth = 0;
  session.moduleOrder = 0;
  session.calls = 0;
}

const foldLimit = 1 << 20;

/** Whether an axis is of a size that is to stay free. The integers of a shape have no such axis. */
function hasFree(sizes: ReadonlySet<number>, { dtype, shape }: TensorType): boolean {
  const isShape = dtype === "int64" && shape.length === 1 && numel(shape) <= longestShape;
  return !isShape && shape.some((size) => sizes.has(size));
}

const longestShape = 8;

/** Masks, positions, tables: not a layer's work on frozen weights. */
function isCheap(op: { type: string }, inputs: readonly (Value | null)[]): boolean {
  if (op.type === "MatMul" || op.type === "Gemm" || op.type === "Conv") {
    const sizes = inputs.map((value) => value?.data?.length ?? 0);
    return Math.max(...sizes) <= 1 << 14;
  }
  return inputs.every((value) => (value?.data?.length ?? 0) <= foldLimit);
}

/** Begins a torch call of user code; what runs within it belongs to it. */
export function beginCall(session: Session, op: string, site: number): TorchCall {
  session.depth++;
  if (session.running !== null) return session.running;
  const frame = session.moduleStack.at(-1);
  const at = session.sites[site];
  invariant(at, `no site ${site}`);
  session.running = {
    id: session.calls++,
    op,
    site: at,
    module: frame?.path ?? null,
    moduleCall: frame?.call ?? 0,
  };
  session.emit.origin = { direction: "forward", call: session.running, group: null };
  return session.running;
}

/** What reading an attribute (t.T, t.real) is called: it gives a tensor, and is no torch call. */
const attribute = "__get__";

export function endCall(session: Session, results: readonly Tensor[]): void {
  session.depth--;
  const call = session.running;
  if (session.depth > 0 || call === null) return;
  session.running = null;
  if (!session.store.inStep || call.op === attribute) return;
  const fromScript = session.scriptFiles.has(call.site.file);
  results.forEach((tensor, output) => {
    if (session.emit.gradMode && session.store.isStale(tensor)) return;
    session.values.push({ ...traced(session, tensor), call, output, fromScript });
  });
}

/** Leaves a call that raised. */
export function abandonCall(session: Session): void {
  session.depth--;
  if (session.depth === 0) session.running = null;
}

/** A file of Python's as the report names it: below the workspace, with forward slashes. */
export function fileName(session: Session, pythonPath: string): string {
  const root = `${toPythonPath(session.root)}/`;
  return pythonPath.startsWith(root) ? pythonPath.slice(root.length) : pythonPath;
}
