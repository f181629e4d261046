/** Second names that PyTorch has for a call, and functions that are the inverse of a hyperbolic one. */
import { torchError } from "../../errors.ts";
import { tensor } from "../arguments.ts";
import { type Namespace, torchCall } from "../call.ts";
import { isComplexType } from "../promotion.ts";
import { leaveToPython } from "../writtenInPython.ts";
import { sub } from "./arithmetic.ts";
import { underivable } from "./derivatives.ts";
import { inSteps, slopesNamed } from "./kernelSlopes.ts";
import { narrowedWithSlope } from "./narrowed.ts";
import { acos, asin, atan, neg, trunc } from "./pointwise.ts";

const both: readonly Namespace[] = ["torch", "Tensor"];

function inverse(name: string, op: Parameters<typeof narrowedWithSlope>[1]) {
  return torchCall({
    name,
    in: both,
    params: { input: tensor },
    inPlace: true,
    saves: ["input"],
    build: (ctx, { input }) => {
      const as = ctx.promoteToFloat(input);
      if (isComplexType(as)) leaveToPython();
      const x = ctx.as(input, as);
      const write = () => narrowedWithSlope(ctx.emit, op, x);
      const y = inSteps(ctx.emit, as, [x], write, slopesNamed(name));
      return { typed: ctx.inPlace ? underivable(ctx.emit, y, [x], noneInPlace(name)) : y, as };
    },
  });
}

const noneInPlace = (name: string) =>
  torchError(
    "NotImplementedError",
    `the derivative for 'inplace version of ${name}' is not implemented.`,
  );

export const asinh = inverse("asinh", "Asinh");
export const acosh = inverse("acosh", "Acosh");
export const atanh = inverse("atanh", "Atanh");
export const arcsinh = torchCall({ ...asinh, name: "arcsinh" });
export const arccosh = torchCall({ ...acosh, name: "arccosh" });
export const arctanh = torchCall({ ...atanh, name: "arctanh" });
export const arcsin = torchCall({ ...asin, name: "arcsin" });
export const arccos = torchCall({ ...acos, name: "arccos" });
export const arctan = torchCall({ ...atan, name: "arctan" });
export const negative = torchCall({ ...neg, name: "negative" });
export const subtract = torchCall({ ...sub, name: "subtract" });
export const fix = torchCall({ ...trunc, name: "fix" });
export const positive = torchCall({
  name: "positive",
  in: both,
  params: { input: tensor },
  moves: true,
  build: (_ctx, { input }) => {
    if (input.dtype === "bool")
      throw torchError("RuntimeError", "The `+` operator, on a bool tensor is not supported.");
    return input;
  },
});
