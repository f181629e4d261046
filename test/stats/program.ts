/** For tests: a traced program written by hand, call by call and module by module. */
import type { TorchCall, Value } from "../../src/graph/graph.ts";
import { createEmitter, type Emitter } from "../../src/ops/emitter.ts";
import type {
  TracedModule,
  TracedProgram,
  TracedTensor,
  TracedValue,
} from "../../src/trace/program.ts";
import { uniforms } from "./measure.ts";

export interface ProgramInTest {
  readonly emit: Emitter;
  /** A weight with numbers around `centre`. */
  parameter(name: string, shape: readonly number[], centre?: number): Value;
  /** One torch call at a line of model.py: `build` writes its nodes. */
  call(op: string, line: number, build: () => Value): Value;
  /** One call of a module: `body` makes torch calls. */
  module(path: string, input: Value, body: (input: Value) => Value): Value;
  /** The call that is being written. */
  currentCall(): TorchCall;
  finish(loss: Value, more?: Partial<TracedProgram>): TracedProgram;
}

export function createProgram(): ProgramInTest {
  const emit = createEmitter();
  const values: TracedValue[] = [];
  const modules = new Map<string, TracedModule & { calls: TracedModule["calls"][number][] }>();
  const inputs: Value[] = [];
  const path: string[] = [];
  let calls = 0;
  let order = 0;
  let current: TorchCall | null = null;

  return {
    emit,
    parameter(name, shape, centre = 0) {
      const length = shape.reduce((n, size) => n * size, 1);
      const data = Float32Array.from(uniforms(inputs.length + 1, length), (u) => centre + u - 0.5);
      const options = { role: "parameter", name, requiresGrad: true, data } as const;
      const value = emit.input({ dtype: "float32", shape }, options);
      inputs.push(value);
      return value;
    },
    call(op, line, build) {
      const site = { file: "model.py", line, column: 8, endLine: line, endColumn: 20 };
      const module = path.at(-1) ?? null;
      const moduleCall = modules.get(module ?? "")?.calls.length ?? 0;
      current = { id: calls++, op, site: { ...site, function: "forward" }, module, moduleCall };
      emit.origin = { direction: "forward", call: current, group: null };
      const value = build();
      values.push({ ...tensor(value), call: current, output: 0, fromScript: false });
      return value;
    },
    module(name, input, body) {
      const module = modules.get(name) ?? {
        ...{ path: name, class: "Module", file: "model.py", line: 1 },
        calls: [],
      };
      modules.set(name, module);
      const firstCall = calls;
      path.push(name);
      const output = body(input);
      path.pop();
      module.calls.push({
        order: order++,
        inputs: [tensor(input)],
        held: [],
        outputs: [{ key: "", ...tensor(output) }],
        firstCall,
        endCall: calls,
      });
      return output;
    },
    currentCall() {
      if (current === null) throw new Error("no call is being written");
      return current;
    },
    finish: (loss, more = {}) => ({
      graph: { inputs, nodes: emit.nodes, outputs: [loss] },
      loss,
      mode: "eval",
      backward: true,
      values,
      modules: [...modules.values()],
      parameters: inputs.map((value) => ({
        name: value.name ?? "",
        aliases: [],
        shape: value.shape,
        dtype: "float32",
        requiresGrad: true,
        value,
        data: value.data,
      })),
      inputs: [],
      printed: [],
      norms: [],
      attention: [],
      dropouts: [],
      branches: [],
      gaps: [],
      missed: [],
      loops: [],
      assumptions: [],
      ...more,
    }),
  };
}

const tensor = (value: Value): TracedTensor => ({
  value,
  dtype: value.dtype,
  shape: value.shape,
  masked: false,
});
