/** Finds an operator's definition by ONNX's name. */
import type { AnyOp } from "./defineOp.ts";
import * as definitions from "./index.ts";

const byType = new Map<string, AnyOp>();
for (const op of Object.values(definitions) as unknown as AnyOp[]) byType.set(op.type, op);

export const opNamed = (type: string): AnyOp | null => byType.get(type) ?? null;

export const opTypes = (): readonly string[] => [...byType.keys()];
