/** What a step draws, as it enters the graph: see CallContext. */
import type { CallContext } from "./call.ts";
import type { Session } from "./session.ts";

export function drawsOf(session: Session): Pick<CallContext, "inModule" | "drawn" | "batch"> {
  const { emit, store } = session;
  const isTraining = session.trains && store.inStep;
  return {
    inModule: session.moduleStack.length > 0,
    drawn(type, data, draw) {
      if (!isTraining) return emit.constant({ ...type, data });
      const rest = { role: "input", name: null, requiresGrad: false, data } as const;
      const value = emit.input(type, rest);
      session.graphInputs.push(value);
      session.draws.push({ value, draw });
      return value;
    },
    batch(type, data, before) {
      if (!isTraining) return emit.constant({ ...type, data });
      const first = session.batchDraws[session.batchDrawn++];
      if (session.next === null || first === undefined) {
        session.batchDraws.push(data);
        return emit.constant({ ...type, data });
      }
      session.generator.setState(before);
      return emit.constant({ ...type, data: first });
    },
  };
}
