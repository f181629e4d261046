/** The device that was asked for → the provider that runs, and why others do not. */
import { deviceUnavailable } from "../errors.ts";
import type { Problem } from "./cuda/problem.ts";
import { probe } from "./probe.ts";
import type { Device, Provider } from "./provider.ts";

export interface ProviderChoice {
  readonly provider: Provider;
  /** What `auto` would have preferred, and why it cannot run. */
  readonly passedOver: readonly PassedOver[];
}

export interface PassedOver extends Problem {
  readonly provider: Provider;
}

/** `auto` takes the first that works. */
const preferred: readonly Provider[] = ["cuda", "cpu"];

/** A device that was named and cannot run is an error: it is never replaced silently. */
export async function chooseProvider(
  requested: Device,
  problemOf: (provider: Provider) => Promise<Problem | null> = probe,
): Promise<ProviderChoice> {
  if (requested !== "auto") {
    const problem = await problemOf(requested);
    if (problem !== null) throw deviceUnavailable(requested, problem.reason, problem.remedy);
    return { provider: requested, passedOver: [] };
  }
  const passedOver: PassedOver[] = [];
  for (const provider of preferred) {
    const problem = await problemOf(provider);
    if (problem === null) return { provider, passedOver };
    passedOver.push({ provider, ...problem });
  }
  throw deviceUnavailable("cpu", passedOver.at(-1)?.reason ?? "no provider is known");
}
