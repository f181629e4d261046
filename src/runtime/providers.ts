/** The device that was asked for → the provider that runs, and why others do not. */
import { deviceUnavailable } from "../errors.ts";
import { probe } from "./probe.ts";
import type { Device, Provider } from "./provider.ts";

export interface ProviderChoice {
  readonly provider: Provider;
  /** What `auto` would have preferred, and why it cannot run. */
  readonly passedOver: readonly { readonly provider: Provider; readonly reason: string }[];
}

/** `auto` takes the first that works. */
const preferred: readonly Provider[] = ["cuda", "cpu"];

/** A device that was named and cannot run is an error: it is never replaced silently. */
export async function chooseProvider(
  requested: Device,
  reasonAgainst: (provider: Provider) => Promise<string | null> = probe,
): Promise<ProviderChoice> {
  if (requested !== "auto") {
    const reason = await reasonAgainst(requested);
    if (reason !== null) throw deviceUnavailable(requested, reason);
    return { provider: requested, passedOver: [] };
  }
  const passedOver: { provider: Provider; reason: string }[] = [];
  for (const provider of preferred) {
    const reason = await reasonAgainst(provider);
    if (reason === null) return { provider, passedOver };
    passedOver.push({ provider, reason });
  }
  throw deviceUnavailable("cpu", passedOver.at(-1)?.reason ?? "no provider is known");
}
