/** The functions that python/torch calls: plain values in and out, no object of the host ever crosses. */
import { invariant, torchError } from "../errors.ts";
import { allocate, type DType, numel, sameShape } from "../graph/tensor.ts";
import { roundTo } from "../ops/kernels/round.ts";
import { decodeArguments, dtypeNamed } from "./arguments.ts";
import type { AnyCall, Given } from "./call.ts";
import * as definitions from "./calls/index.ts";
import { checkpointFunctions } from "./checkpoints.ts";
import { customFunction, functionInputs } from "./customFunction.ts";
import { runCall } from "./dispatch.ts";
import { frozenLeaves } from "./frozenLeaves.ts";
import { generatorFunctions } from "./generatorFunctions.ts";
import { gradientsOfLeaves, gradientsWithin, restOnOthers } from "./gradientsWithin.ts";
import { liesIn, type MemoryFormat } from "./layout/strides.ts";
import { endsOfAxes, listed, numbersSeen } from "./looks.ts";
import { abandonModule, enterModule, exitModule } from "./moduleCalls.ts";
import { detachStep } from "./passThrough.ts";
import { promoteTypes, type TorchType, typeOf } from "./promotion.ts";
import { detachOfView } from "./refusals.ts";
import {
  abandonCall,
  beginCall,
  beginConstruction,
  beginStep,
  endCall,
  fileName,
  type NamedParameter,
  type Session,
} from "./session.ts";
import { settlingFunctions } from "./settling.ts";
import { beforeTurns, chainOf, lazySign, type Tensor, valueShape } from "./tensor.ts";
import { tokenFunctions } from "./tokenFunctions.ts";
import { traceAnew } from "./traced.ts";
import { isRestedOn } from "./turnedLeaves.ts";
import { hooksReached } from "./walkHooks.ts";
import { WrittenInPython } from "./writtenInPython.ts";

const calls = new Map<string, AnyCall>();
for (const spec of Object.values(definitions) as unknown[])
  if (isCall(spec)) {
    calls.set(spec.key ?? spec.name, spec);
    if (spec.inPlace) calls.set(`${spec.key ?? spec.name}_`, spec);
  }

function isCall(value: unknown): value is AnyCall {
  return typeof value === "object" && value !== null && "params" in value && "build" in value;
}

/** The table that python/torch makes its functions from. */
export interface CallRow {
  readonly key: string;
  readonly name: string;
  readonly in: readonly string[];
  readonly returns: readonly string[] | null;
  readonly inPlace: boolean;
}

export const callTable = (): CallRow[] =>
  [...new Set(calls.values())].map((spec) => ({
    key: spec.key ?? spec.name,
    name: spec.name,
    in: spec.in,
    returns: spec.returns ?? null,
    inPlace: spec.inPlace === true,
  }));

export type HostFunctions = ReturnType<typeof createHost>;

export function createHost(session: Session) {
  const { store } = session;
  const frozen = frozenLeaves(store);
  const at = (id: number): Tensor => store.tensorOf(id);
  const tensorsOf = (ids: string): Tensor[] =>
    ids === "" ? [] : ids.split(",").map((id) => at(Number(id)));
  const givenOf = (ids: string): (Tensor | null)[] =>
    ids.split(",").map((id) => (id === "0" ? null : at(Number(id))));

  return {
    ...checkpointFunctions(session),
    ...generatorFunctions(session),
    ...settlingFunctions(session),
    ...tokenFunctions(session),

    /** `key` may end in a colon and the name that PyTorch gives the call here: "pow:__pow__". */
    call(key: string, site: number, signature: string, ...values: unknown[]) {
      const [name, given] = key.split(":") as [string, string | undefined];
      const spec = calls.get(name);
      if (!spec) throw torchError("UnsupportedCall", `'${name}' is not supported`);
      const args = decodeArguments(signature, values, at);
      const shown = name.endsWith("_") && spec.inPlace ? `${spec.name}_` : spec.name;
      beginCall(session, given ?? shown, site);
      let result: Given;
      try {
        result = store.runCall(() => runCall(session, spec, shown, args), flat);
      } catch (error) {
        abandonCall(session);
        if (error instanceof WrittenInPython) return `python ${error.saves}`;
        throw error;
      }
      endCall(session, name === "__setitem__" ? [] : flat(result));
      return encodeGiven(result);
    },

    begin(op: string, site: number) {
      beginCall(session, op, site);
    },
    end(ids: string) {
      endCall(session, tensorsOf(ids));
    },
    abandon() {
      abandonCall(session);
    },

    site(
      file: string,
      line: number,
      column: number,
      endLine: number,
      endColumn: number,
      name: string,
    ) {
      session.sites.push({
        file: fileName(session, file),
        line,
        column,
        endLine,
        endColumn,
        function: name,
      });
      return session.sites.length - 1;
    },

    enter(path: string, name: string, file: string, line: number, ids: string, held: string) {
      const entry = {
        path,
        class: name,
        file: file === "" ? null : fileName(session, file),
        line: line || null,
      };
      enterModule(session, entry, tensorsOf(ids), tensorsOf(held));
    },
    /** `keys` are joined by newlines, in the order of `ids`. */
    exit(keys: string, ids: string) {
      const names = keys.split("\n");
      exitModule(
        session,
        tensorsOf(ids).map((tensor, i) => ({ key: names[i] ?? "", tensor })),
      );
    },
    abandon_module() {
      abandonModule(session);
    },

    release(id: number) {
      store.release(id);
    },

    shape: (id: number) => at(id).shape.join(","),
    strides: (id: number) => at(id).strides.join(","),
    dtype: (id: number) => typeOf(at(id)),
    storage_offset: (id: number) => at(id).offset,
    storage_length: (id: number) => at(id).storage.length / (at(id).isComplex ? 2 : 1),
    lazy_sign: (id: number) => lazySign(at(id)),
    lies_in: (id: number, format: string) => liesIn(format as MemoryFormat, at(id)),
    data_ptr: (id: number) => at(id).storage.root.id * 4096 + at(id).offset,
    version: (id: number) => at(id).version.count,
    /** The id of the tensor that it is a view of, which Python holds from then on; 0: none, or detached, −1: nobody holds it. */
    base(id: number): number {
      const tensor = beforeTurns(at(id));
      let base = tensor;
      while (base.parent !== null && !base.step?.detaches) base = base.parent;
      if (base === tensor) return tensor.hasHiddenBase ? -1 : 0;
      store.holdAgain(base);
      return base.id;
    },
    /** It passed a module's backward hooks: PyTorch has it as a view, of which it follows no edit. */
    passed_hooks(id: number, given: number) {
      const { version } = at(given);
      const takenAt = version.count;
      Object.assign(at(id), { takenAs: "of a function", hasHiddenBase: true, version, takenAt });
    },
    requires_grad: (id: number) => store.requiresGrad(at(id)),
    is_leaf: (id: number) => store.isLeaf(at(id)),

    set_requires_grad(id: number, value: boolean) {
      const tensor = at(id);
      if (tensor.leafRequiresGrad === value || (value && store.requiresGrad(tensor))) return;
      tensor.leafRequiresGrad = value;
      tensor.cached = null;
      if (value && !frozen.thaw(tensor)) makeLeaf(session, tensor);
      if (!value) frozen.freeze(tensor);
    },
    /** What the call that ended last made is a leaf by now: its row tells of the leaf. */
    trace_anew(id: number) {
      traceAnew(session, at(id));
    },
    /** Parameter(data): the same storage under a leaf of its own. */
    parameter(id: number, requiresGrad: boolean) {
      const source = at(id);
      const made = store.view(
        source,
        {
          shape: source.shape,
          strides: source.strides,
          offset: source.offset,
          version: { count: 0 },
        },
        detachStep,
      );
      made.leafRequiresGrad = requiresGrad;
      made.entersAs = "parameter";
      if (made.storage.value?.role === "node") makeLeaf(session, made);
      else store.makeRoot(made);
      return made.id;
    },
    /** Whether the step has computed anything of this parameter. */
    is_rested_on: (id: number) => store.inStep && isRestedOn(store, at(id)),
    name(id: number, name: string) {
      at(id).name = name;
    },
    model_input(id: number, name: string) {
      const tensor = at(id);
      if (tensor.storage.value !== null || tensor.parent !== null) return;
      tensor.entersAs ??= "input";
      tensor.name ??= name;
      tensor.cached = null;
      const batch = session.next?.inputs.get(name);
      if (batch !== undefined) store.setNumbers(tensor, batch);
    },
    /** `id` becomes a window on the same storage as `from`: assignment to .data. */
    set_data(id: number, from: number) {
      const [tensor, source] = [at(id), at(from)];
      if (tensor.storage === source.storage && tensor.shape === source.shape) return;
      if (store.inStep && store.requiresGrad(tensor) && sameShape(tensor.shape, source.shape)) {
        store.replace(tensor, source);
        return;
      }
      if (chainOf(source).some(({ parent }) => parent === tensor)) store.keepViews(tensor);
      tensor.dtype = source.dtype;
      tensor.isComplex = source.isComplex;
      tensor.shape = source.shape;
      tensor.strides = source.strides;
      tensor.offset = source.offset;
      tensor.storage = source.storage;
      tensor.parent = source;
      tensor.step = detachStep;
      tensor.cached = null;
      if (tensor.leafRequiresGrad && tensor.storage.value !== null) makeLeaf(session, tensor);
      else if (tensor.leafRequiresGrad || tensor.entersAs !== null) store.makeRoot(tensor);
    },
    detach_in_place(id: number) {
      const tensor = at(id);
      const root = beforeTurns(tensor);
      if (root.step?.detaches) return;
      if (root.parent !== null || tensor.hasHiddenBase) throw detachOfView();
      tensor.storage.remake = null;
      store.detachInPlace(tensor);
    },

    from_text(dtype: string, shape: string, text: string) {
      const sizes = shape === "" ? [] : shape.split(",").map(Number);
      const type = dtypeNamed(dtype);
      const numbers = allocate(type.dtype, numel(sizes) * (type.isComplex ? 2 : 1));
      if (text !== "") {
        let i = 0;
        for (const item of text.split(",")) numbers[i++] = Number(item);
      }
      roundTo(type.dtype, numbers);
      return store.fromNumbers(type, sizes, numbers).id;
    },
    /** Row-major, as text. `why` is what Python asked for; a computed number that it saw is noted. */
    numbers(id: number, site: number, why: string) {
      const place = decides.has(why) ? session.sites[site] : undefined;
      const numbers = numbersSeen(session, at(id), place ?? null);
      return listed(numbers);
    },
    /** As `numbers`, and nothing is decided by them; of axes longer than `longest` both ends. */
    numbers_to_show(id: number, longest: number) {
      const tensor = at(id);
      const numbers = numbersSeen(session, tensor, null);
      const shown = endsOfAxes(numbers, valueShape(tensor), longest);
      return listed(shown);
    },

    is_inference: (id: number) => at(id).version.isInference === true,
    /** Whether its numbers are there without computing a part of the step. */
    is_known: (id: number) => store.isKnown(at(id)),

    set_grad_mode(enabled: boolean, inference: boolean) {
      session.emit.gradMode = enabled;
      store.inference = inference;
    },
    count_only() {
      session.countsOnly = true;
    },
    set_default_dtype(name: string) {
      session.defaultFloat = name as DType;
    },
    promote_types: (a: string, b: string) => promoteTypes(a as TorchType, b as TorchType),

    /** The type that torch.autocast computes in; "" switches it off. */
    set_autocast(dtype: string) {
      session.autocast = dtype === "" ? null : (dtype as DType);
    },
    clear_autocast_cache: () => session.castLeaves.clear(),

    /** The forward of a torch.autograd.Function begins. */
    begin_function(ids: string) {
      session.functions.push(functionInputs(session, tensorsOf(ids)));
    },
    /** It gave `ids`, of which `edited` has a 1 for each argument that it edited; `saves`: some for backward. */
    end_function(number: number, ids: string, edited: string, saves: boolean) {
      const inputs = session.functions.pop();
      invariant(inputs, "a function is running");
      const flags = Array.from(edited, (flag) => flag === "1");
      const made = customFunction(session, { number, saves }, inputs, tensorsOf(ids), flags);
      return made.map(({ id }) => id).join(",");
    },
    abandon_function() {
      session.functions.pop();
    },

    /** torch.autograd.grad: ids of gradients by each of `inputs`, 0 where none arrives. */
    gradients(outputs: string, given: string, inputs: string, creates: boolean, retains: boolean) {
      const options = { createsGraph: creates, retainsGraph: retains };
      const [ends, by] = [tensorsOf(outputs), tensorsOf(inputs)];
      const found = gradientsWithin(session, ends, givenOf(given), by, options);
      return found.map((gradient) => gradient?.id ?? 0).join(",");
    },
    /** backward(): "leaf:gradient" for each leaf that a gradient arrives at. */
    gradients_of_leaves(outputs: string, given: string, creates: boolean, retains: boolean) {
      const options = { createsGraph: creates, retainsGraph: retains };
      const found = gradientsOfLeaves(session, tensorsOf(outputs), givenOf(given), options);
      return found.map(({ leaf, gradient }) => `${leaf.id}:${gradient.id}`).join(",");
    },
    /** torch.func: of each of `results`, 1 where it rests on a leaf beside `own`. */
    rest_on_others: (results: string, own: string) =>
      restOnOthers(session, tensorsOf(results), tensorsOf(own)).map(Number).join(","),
    in_step: () => store.inStep,
    /** A checkpoint that computes all of it again begins, or ends. */
    recompute(begins: boolean) {
      session.recomputed += begins ? 1 : -1;
    },

    hook(id: number, hook: number) {
      const tensor = at(id);
      if (tensor.leafRequiresGrad && !store.inStep) addTo(session.leafHooks, tensor.id, hook);
      else addTo(session.hooks, store.read(tensor).id, hook);
    },
    /** The number of the walk backwards that is going on. */
    walk: () => session.walks.count,
    /** How many of these hooks the walk that is going on comes to. */
    hooks_reached: (numbers: string) => hooksReached(session, numbers.split(",").map(Number)),

    /** The file only drives the model: what it makes is no value of the model. */
    driver_file(path: string) {
      session.scriptFiles.add(fileName(session, path));
    },
    begin_construction() {
      beginConstruction(session);
    },
    begin_step(json: string) {
      const rows = JSON.parse(json) as { id: number; name: string; aliases: string[] }[];
      const parameters = rows.map(({ id, name, aliases }): NamedParameter => {
        const tensor = at(id);
        return { tensor, name, aliases };
      });
      beginStep(session, parameters);
    },
  };
}

/** What Python reads numbers for where they can decide what it does next. */
const decides = new Set(["bool", "item", "tolist"]);

/** What the step computed is a leaf of its own from here on, or the numbers alone where it wants no gradient. */
function makeLeaf(session: Session, tensor: Tensor): void {
  session.store.makeLeaf(tensor);
  const leaf = tensor.storage.value;
  if (leaf !== null && tensor.leafRequiresGrad) session.leaves.set(tensor.id, leaf);
}

function addTo(hooks: Map<number, readonly number[]>, id: number, hook: number): void {
  hooks.set(id, [...(hooks.get(id) ?? []), hook]);
}

const flat = (given: Given): Tensor[] =>
  given === null ? [] : Array.isArray(given) ? given.flatMap(flat) : [given as Tensor];

function encodeGiven(given: Given): number | string | null {
  if (given === null) return null;
  if (Array.isArray(given))
    return flat(given)
      .map((tensor) => tensor.id)
      .join(",");
  return (given as Tensor).id;
}
