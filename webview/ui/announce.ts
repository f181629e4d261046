/** Tells what happened to who does not see it. */
import { element } from "./dom.ts";

const region = element("div", { class: "unseen", role: "status", "aria-live": "polite" });

export function announce(text: string): void {
  if (!region.isConnected) document.body.append(region);
  region.textContent = text;
}
