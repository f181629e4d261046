/** The parts of the extension that commands reach. */
import type { Ctx } from "./context.ts";
import type { Documents } from "./documents.ts";
import type { Flows } from "./flows.ts";
import type { ModelTree } from "./modelTree.ts";
import type { Panel } from "./panel.ts";

export interface Parts {
  readonly ctx: Ctx;
  readonly flows: Flows;
  readonly panel: Panel;
  readonly tree: ModelTree;
  readonly documents: Documents;
}
