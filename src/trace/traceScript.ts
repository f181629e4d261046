/** Runs one script in a loaded Python and gives the program that it traced. */
import { dirname, isAbsolute, join, relative } from "node:path";
import type { GradientHooks } from "../autodiff/addGradients.ts";
import type { Printed } from "../errors.ts";
import type { Site, Value } from "../graph/graph.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { Emitter } from "../ops/emitter.ts";
import type { GeneratorState } from "../random/generator.ts";
import type { NumbersJob } from "../weights/jobs.ts";
import { createHost } from "./host.ts";
import { readLoops, readMisses } from "./misses.ts";
import { printedIn } from "./printed.ts";
import type {
  TracedAssumption,
  TracedGap,
  TracedInput,
  TracedModule,
  TracedParameter,
  TracedProgram,
} from "./program.ts";
import { typeOf } from "./promotion.ts";
import type { PythonInstance, PythonResult, Workspace } from "./python/boot.ts";
import type { PythonError } from "./python/failure.ts";
import { fromPythonPath, toPythonPath } from "./python/paths.ts";
import { describe, resultOf } from "./pythonErrors.ts";
import {
  createSession,
  type NextStep,
  type Session,
  type SessionOptions,
  type StepDraw,
} from "./session.ts";
import { isUnwritten } from "./tensor.ts";
import { accumulatedIn, backwardIn, hooksOf } from "./walkHooks.ts";

export interface Script {
  /** Absolute path of the script, or of the file with the class. */
  readonly path: string;
  /** null: the file is a script with `build` and `step`. */
  readonly plan: PlanRequest | null;
  readonly workspace: Workspace;
  readonly seed: number;
  readonly mode: "eval" | "train" | null;
  /** Loaded in place of the weights that the script makes. */
  readonly weights?: GivenWeights | null;
  /** The script's text in place of what lies on the disk. */
  readonly source?: string | null;
  /** Inputs of a class are windows of them; a script makes its own. */
  readonly tokens?: GivenTokens | null;
  /** A call that is not supported ends the step: what came before is the program. */
  readonly keepsGoing?: boolean;
  /** Steps of training will be taken: what the step draws is drawn anew for each. */
  readonly trains?: boolean;
}

export interface GivenTokens {
  /** Absolute paths; they may lie outside of the workspace. */
  readonly file: string;
  readonly tokenizer: string | null;
}

export interface GivenWeights {
  /** Absolute path of a file or folder; it may lie outside of the workspace. */
  readonly file: string;
  /** Names that are missing or unexpected are an error. */
  readonly strict: boolean;
  /** Taken off the names in the file; names without it are passed over. */
  readonly prefix: string;
}

/** What was loaded. */
export interface LoadedWeights {
  readonly format: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Where in the file's value the tensors were: "['model']". */
  readonly key: string;
  readonly prefix: string;
  readonly tensors: number;
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** A class to run, and what was said about how. */
export interface PlanRequest {
  readonly entry: string;
  /** Constructor arguments as Python literals. */
  readonly set: Readonly<Record<string, string>>;
  readonly inputs: readonly {
    readonly name: string;
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly below: number | null;
  }[];
  readonly loss: string | null;
  /** "batch" and "seq" of inputs that are made up; null: as the plan chooses. */
  readonly sizes: Readonly<Record<string, number>> | null;
  /** The inputs are to be fed anew at every step, and targets with them. */
  readonly trains?: boolean;
}

export interface TracedScript {
  readonly program: TracedProgram;
  readonly made: MadeScript;
  /** Takes the backward nodes. */
  readonly emit: Emitter;
  /** Python's gradient hooks and PyTorch's checks, for the walk backwards. */
  readonly hooks: GradientHooks;
  /** By value id, what backward() within the step has left in `.grad` of parameters. */
  accumulated(): ReadonlyMap<number, Value>;
  /** What the user's code has printed by now: hooks print while gradients are computed. */
  printed(): readonly Printed[];
  /** By value id, the gradients that were computed within the step. */
  readonly seenWithin: ReadonlyMap<number, Value>;
  /** By value id, its gradient after one of its hooks, after two, … */
  readonly hooked: ReadonlyMap<number, readonly Value[]>;
  /** Fills that are not made yet: each into the numbers of its parameter. */
  readonly fills: readonly { readonly job: NumbersJob; readonly out: Numbers }[];
  /** In the order in which they were drawn. */
  readonly draws: readonly StepDraw[];
  /** What the step leaves for the next one (buffers, attributes, a state of Python's), for training. */
  readonly edited: readonly string[];
  /** The generator before and after the step. */
  readonly drawnFrom: GeneratorState;
  readonly drawnTo: GeneratorState;
  /** Takes the step once more: Python runs again. null: there is no Python. */
  readonly again: ((next: NextStep) => TracedScript) | null;
  /** Where numbers that another step would change decided what was traced. */
  readonly looks: readonly Site[];
}

/** The host's functions are bound to Python when it starts: one tracer for one Python. */
export function createTracer(options: SessionOptions) {
  const session = createSession(options);
  return {
    host: createHost(session),
    run: (python: PythonInstance, script: Script) => run(session, python, script),
  };
}

/** What the plan of a class decided. */
export interface MadeScript {
  /** The script that does the same; null where the user's own script ran. */
  readonly plan: string | null;
  readonly lossRule: string;
  /** By argument, how it was made. */
  readonly inputRules: Readonly<Record<string, string>>;
  readonly weights: LoadedWeights | null;
  /** Symbols that the model has, where it trains on a task. */
  readonly vocabulary: number | null;
  /** Python files below the root that were imported, for a run of training; the script's among them. */
  readonly files: readonly string[];
}

interface Ran {
  /** null where the step ended at a gap. */
  readonly loss: number | null;
  readonly gap?: PythonError;
  readonly mode: "eval" | "train";
  readonly backward: boolean;
  /** JSON of what python/torch/_missed.py gives. */
  readonly missed?: string;
  /** JSON of what python/torch/_training_loops.py gives. */
  readonly loops?: string;
  /** JSON of what python/normscope_boot/assumptions.py gives. */
  readonly assumed?: string;
  readonly plan?: string;
  readonly lossRule?: string;
  readonly inputs?: readonly (readonly [string, string])[];
  readonly weights: LoadedWeights | null;
  readonly vocabulary?: number | null;
}

function run(session: Session, python: PythonInstance, script: Script): TracedScript {
  python.open(script.workspace);
  session.root = script.workspace.root;
  session.freeSizes = new Set(Object.values(script.plan?.sizes ?? {}));
  session.checkpoints.given = script.weights?.file ?? null;
  session.tokens.given = script.tokens ?? null;
  session.trains = script.trains === true;
  session.runBackward = backwardIn(session, python, script);
  session.next = null;
  session.walkHooks = hooksOf(session, python, script);
  const ran = resultOf(start(python, script), script) as unknown as Ran;
  return tracedOf(session, python, script, ran);
}

/** The step of `first` once more, with other weights and another batch. */
function again(
  session: Session,
  python: PythonInstance,
  script: Script,
  first: Ran,
  next: NextStep,
): TracedScript {
  // Fills were made beside the first step, and weights have been trained since.
  session.store.pendingFills.clear();
  if (next.from !== null) session.generator.setState(next.from);
  session.next = next;
  const { loss, mode, backward } = resultOf(
    python.call("torch._run", "again", next.keepsBuffers),
    script,
  ) as unknown as Ran;
  return tracedOf(session, python, script, { ...first, loss, mode, backward });
}

function tracedOf(
  session: Session,
  python: PythonInstance,
  script: Script,
  ran: Ran,
): TracedScript {
  const { program, fills } = programOf(session, lossOf(session, ran), ran);
  const gaps = ran.gap ? [...program.gaps, gapOf(ran.gap, script)] : program.gaps;
  const made: MadeScript = {
    plan: ran.plan ?? null,
    lossRule: ran.loss === null ? "none: the step ended at a gap" : (ran.lossRule ?? "step"),
    inputRules: Object.fromEntries(ran.inputs ?? []),
    weights: ran.weights,
    vocabulary: ran.vocabulary ?? null,
    files: session.trains ? importedFiles(python, script) : [],
  };
  const { emit, draws, looks, drawnFrom } = session;
  session.isStepOver = true;
  return {
    program: { ...program, gaps },
    made,
    emit,
    hooks: session.walkHooks,
    seenWithin: session.seenWithin,
    hooked: session.hooked,
    accumulated: () => accumulatedIn(session, python, script),
    printed: () => printedIn(python, session.root),
    fills,
    draws: [...draws],
    looks: [...looks],
    edited: session.trains && ran.loss !== null ? editedBuffers(python, script) : [],
    drawnFrom,
    drawnTo: session.generator.getState(),
    again: (next) => again(session, python, script, ran, next),
  };
}

function start(
  python: PythonInstance,
  { path, plan, seed, mode, ...options }: Script,
): PythonResult {
  const file = toPythonPath(path);
  const { weights = null, tokens = null, source = null, keepsGoing = false } = options;
  const given = JSON.stringify({ weights, tokens, source, keepsGoing });
  if (plan === null) return python.call("torch._run", "run", file, null, seed, mode, given);
  const request = JSON.stringify(plan);
  return python.call("torch._run", "run_class", file, request, seed, mode, given);
}

const editedBuffers = (python: PythonInstance, script: Script): string[] =>
  (resultOf(python.call("torch._run", "edited"), script) as string)
    .split("\n")
    .filter((name) => name !== "");

function importedFiles(python: PythonInstance, script: Script): string[] {
  const { root } = script.workspace;
  const paths = resultOf(python.call("torch._run", "files"), script) as string;
  return paths
    .split("\n")
    .map((path) => relative(root, fromPythonPath(path)))
    .filter((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path))
    .map((path) => path.replaceAll("\\", "/"));
}

/** A step that ended early has no loss: no number stands for it. */
function lossOf({ store, emit }: Session, { loss }: Ran): Value {
  return loss === null ? emit.scalar(Number.NaN, "float32") : store.read(store.tensorOf(loss));
}

function gapOf(error: PythonError, script: Script): TracedGap {
  const { message, place } = describe(error, script);
  const { file, line } = place ?? { file: relative(script.workspace.root, script.path), line: 1 };
  return { file, line, code: "trace/gap", message: `The run ended here: ${message}` };
}

function programOf(session: Session, loss: Value, ran: Ran) {
  const { store, emit } = session;
  const parameters = session.parameters.map((named): TracedParameter => {
    const { tensor } = named;
    const entered = session.entered.get(tensor.id) ?? null;
    return {
      name: named.name,
      aliases: named.aliases,
      shape: tensor.shape,
      dtype: typeOf(tensor),
      requiresGrad: tensor.leafRequiresGrad,
      isUnwritten: isUnwritten(tensor),
      value: session.leaves.get(tensor.id) ?? entered,
      data: entered?.data ?? store.numbers(tensor),
    };
  });
  const inputs = session.inputs.map(
    ({ name, tensor, value }): TracedInput => ({
      name,
      value,
      dtype: typeOf(tensor),
      shape: tensor.shape,
    }),
  );
  const fills = [...store.pendingFills].flatMap(([storage, job]) =>
    storage.numbers === null ? [] : [{ job, out: storage.numbers }],
  );
  const program: TracedProgram = {
    graph: { inputs: session.graphInputs, nodes: emit.nodes, outputs: [loss] },
    loss,
    mode: ran.mode,
    backward: ran.backward,
    values: session.values,
    modules: inOrderOfCompletion(session),
    parameters,
    inputs,
    norms: session.norms,
    attention: session.attention,
    dropouts: session.dropouts,
    branches: session.branches,
    gaps: session.gaps,
    missed: readMisses(ran.missed ?? "{}", (path) => ownPath(path, session.root)),
    loops: readLoops(ran.loops ?? "[]", (path) => ownPath(path, session.root)),
    assumptions: assumptionsOf(ran, session.root),
  };
  return { program, fills };
}

function assumptionsOf({ assumed = "[]" }: Ran, root: string): TracedAssumption[] {
  const rows: [string, number, string][] = JSON.parse(assumed);
  return rows.map(([path, line, message]) => ({ file: ownPath(path, root), line, message }));
}

/** The path that a user knows of a file that Python knows by another. */
function ownPath(path: string, root: string): string {
  const file = fromPythonPath(path);
  return file.startsWith(root) ? relative(root, file) : file;
}

function inOrderOfCompletion({ modules }: Session): TracedModule[] {
  const first = ({ calls }: TracedModule): number => calls[0]?.order ?? Number.POSITIVE_INFINITY;
  return [...modules.values()].sort((a, b) => first(a) - first(b));
}

/** The folder that the script's own imports start from. */
export const workspaceOf = (root: string, file: string, packages: string | null): Workspace => {
  return {
    root,
    scriptFolder: dirname(join(root, file)),
    ...(packages === null ? {} : { packages: [packages] }),
  };
};
