import { invariant } from "../errors.ts";
import type { Emit, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import { defineOp } from "./defineOp.ts";
import { normalizeRows } from "./kernels/normalize.ts";
import { axisOf, typeOf } from "./shapes.ts";
import { castTo, expandTo, filled, isNone, meanFrom } from "./write.ts";

/**
 * Y = (X − Mean) · InvStdDev · Scale + B over the axes from `axis` on, InvStdDev = 1/√(Var +
 * epsilon). Mean and InvStdDev are float32 always. https://onnx.ai/onnx/operators/onnx__LayerNormalization.html
 */
export const layerNormalization = defineOp({
  type: "LayerNormalization",
  inputs: ["X", "Scale", "B?"],
  outputs: ["Y", "Mean?", "InvStdDev?"],
  attrs: { axis: -1, epsilon: 1e-5, stash_type: 1 },
  infer: ({ X }, attrs, outputs) => {
    const axis = axisOf("LayerNormalization", attrs.axis, X.shape.length);
    const kept = X.shape.map((size, k) => (k < axis ? size : 1));
    const moment = { dtype: "float32", shape: kept } as const;
    return [typeOf(X), moment, moment].slice(0, outputs);
  },
  grad: {
    // With g = dY · Scale: dX = InvStdDev · (g − mean(g) − X̂ · mean(g · X̂)); of the other outputs,
    // dMean / N and −InvStdDev² · X̂ · dInvStdDev / N, where N elements are normalised together.
    X: (emit, { X, Scale }, out, d, attrs) => {
      const axis = axisOf("LayerNormalization", attrs.axis, X.shape.length);
      const normal = normalized(emit, X, Scale, attrs);
      const found = out.InvStdDev ?? emit.ops("LayerNormalization", [X, Scale], attrs, 3)[2];
      invariant(found, "LayerNormalization has three outputs");
      const inverse = castTo(emit, found, X.dtype);
      const share = emit.scalar(1 / numel(X.shape.slice(axis)), X.dtype);
      const parts: Value[] = [];
      if (!isNone(d.Y)) {
        const g = emit.op("Mul", [d.Y, Scale]);
        const centered = emit.op("Sub", [g, meanFrom(emit, g, axis)]);
        const along = meanFrom(emit, emit.op("Mul", [g, normal]), axis);
        const straight = emit.op("Sub", [centered, emit.op("Mul", [normal, along])]);
        parts.push(emit.op("Mul", [straight, inverse]));
      }
      if (d.InvStdDev && !isNone(d.InvStdDev)) {
        const square = emit.op("Mul", [inverse, inverse]);
        const slope = emit.op("Mul", [castTo(emit, d.InvStdDev, X.dtype), square]);
        const each = emit.op("Mul", [normal, emit.op("Mul", [slope, share])]);
        parts.push(emit.op("Neg", [each]));
      }
      if (d.Mean && !isNone(d.Mean)) {
        const each = emit.op("Mul", [castTo(emit, d.Mean, X.dtype), share]);
        parts.push(expandTo(emit, each, X.shape));
      }
      return parts.reduce((sum, part) => emit.op("Add", [sum, part]));
    },
    Scale: (emit, { X, Scale }, _out, d, attrs) =>
      emit.op("Mul", [d.Y, normalized(emit, X, Scale, attrs)]),
    B: (_emit, _at, _out, d) => d.Y,
  },
  flops: ({ X }) => 8 * numel(X.shape),
  evaluate: ({ X, Scale, B }, attrs, out) => {
    const axis = axisOf("LayerNormalization", attrs.axis, X.shape.length);
    return normalizeRows(X, axis, Scale, B, out, {
      epsilon: attrs.epsilon,
      center: true,
      merges: true,
    });
  },
});

type Attrs = { readonly axis: number; readonly epsilon: number };

/** X̂: computed again in one pass rather than from Mean and InvStdDev in two. */
const normalized = (emit: Emit, X: Value, Scale: Value, { axis, epsilon }: Attrs): Value =>
  emit.op("LayerNormalization", [X, filled(emit, 1, Scale)], { axis, epsilon });
