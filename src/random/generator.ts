/**
 * PyTorch's random numbers on the CPU, equal to the bit: one door to the generator, the
 * distributions and the fills that are computed later.
 */
export { bernoulli, bernoulliTensor } from "./bernoulli.ts";
export { binomial } from "./binomial.ts";
export { cauchy, exponential, geometric } from "./continuous.ts";
export type { FillKind, FillParams } from "./distributions.ts";
export type { Generator, GeneratorState } from "./engine.ts";
export { createGenerator } from "./engine.ts";
export { erfinv } from "./erfinv.ts";
export type { FloatType } from "./fill.ts";
export type { FillEdit } from "./fillEdits.ts";
export type { FillThreads } from "./fillInWorkers.ts";
export { fillInWorkers } from "./fillInWorkers.ts";
export { dirichlet, poisson, standardGamma } from "./gamma.ts";
export { randint, random_, randperm } from "./integers.ts";
export type { FillJob } from "./jobs.ts";
export { edited, fill, plan, runFillJob } from "./jobs.ts";
export type { Extent } from "./measure.ts";
export { measure } from "./measure.ts";
export { memoryOrder, toRowMajor } from "./memoryOrder.ts";
export type { Multinomial } from "./multinomial.ts";
export { multinomial } from "./multinomial.ts";
export { logNormal, normal, stridedNormal } from "./normal.ts";
export { decodeState, encodeState } from "./stateBytes.ts";
export type { TruncNormal } from "./truncNormal.ts";
export { truncNormal } from "./truncNormal.ts";
export { rreluSlopes, uniform } from "./uniform.ts";
