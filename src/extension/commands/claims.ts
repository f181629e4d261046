/** The published claims from the palette, the walkthrough, a keybinding or a task. */
import * as v from "valibot";
import { type ClaimsShown, experimentNames } from "../../protocol/claimsPage.ts";
import type { Commands } from "../commands.ts";
import type { Parts } from "../parts.ts";

const argument = v.object({ only: v.array(v.picklist(experimentNames)) });

export const claimsCommands = ({ ctx, flows }: Parts): Commands => ({
  /**
   * Opens the page; with `only` in its argument these are run at once, and what they gave is returned,
   * undefined where they were cancelled or failed.
   */
  async claims(given): Promise<ClaimsShown["results"] | undefined> {
    await flows.openPanel("claims", [], null);
    const parsed = v.safeParse(argument, given);
    if (!parsed.success) return undefined;
    const ended = await flows.runClaims(parsed.output.only);
    return ended ? ctx.claims.shown.results : undefined;
  },
});
