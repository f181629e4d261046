import { expect, test } from "vitest";
import { addGradients } from "../autodiff/addGradients.ts";
import { createHost } from "./host.ts";
import { beginStep, createSession } from "./session.ts";

/** A parameter w = [1, 2], its graph begun, and a place for calls. */
function begun() {
  const session = createSession({ evaluate: () => new Float32Array(0) });
  const host = createHost(session);
  const id = host.parameter(host.from_text("float32", "2", "1,2"), true);
  beginStep(session, [{ tensor: session.store.tensorOf(id), name: "w", aliases: [] }]);
  const site = host.site("model.py", 1, 0, 1, 1, "step");
  const call = (name: string, signature: string, ...values: unknown[]) =>
    Number(host.call(name, site, signature, ...values));
  return { session, host, id, call };
}

test("the gradient of a function's argument is what its backward gives", () => {
  const { session, host, id, call } = begun();
  host.begin_function(String(id));
  host.set_grad_mode(false, false);
  const doubled = call("mul", "ti", id, 2);
  host.set_grad_mode(true, false);
  const made = Number(host.end_function(7, String(doubled), "0", false));
  const loss = session.store.read(session.store.tensorOf(call("sum", "t", made)));

  const asked: [number, readonly number[]][] = [];
  session.runBackward = (number, gradients) => {
    asked.push([number, gradients]);
    return [call("mul", "tt", gradients[0], id)];
  };
  const { values } = session;
  const recorded = values.length;
  const graph = { inputs: session.graphInputs, nodes: session.emit.nodes, outputs: [loss] };
  const { gradientOf } = addGradients(graph, loss, session.emit);

  expect(asked.map(([number]) => number)).toEqual([7]);
  const parameter = session.entered.get(id);
  expect(parameter && gradientOf(parameter)?.shape).toEqual([2]);
  expect(values.length).toBe(recorded);
  expect(session.emit.nodes.at(-1)?.origin.direction).toBe("backward");
});

test("without gradient mode a function's results have no gradient", () => {
  const { session, host, id, call } = begun();
  host.set_grad_mode(false, false);
  host.begin_function(String(id));
  const made = Number(host.end_function(0, String(call("exp", "t", id)), "0", false));
  expect(session.store.requiresGrad(session.store.tensorOf(made))).toBe(false);
});
