/** Every command of the palette, by its name. */
import { commands, type Disposable } from "vscode";
import { amountCommands } from "./commands/amount.ts";
import { claimsCommands } from "./commands/claims.ts";
import { historyCommands } from "./commands/history.ts";
import { moduleCommands } from "./commands/modules.ts";
import { runCommands } from "./commands/run.ts";
import { supportCommands } from "./commands/support.ts";
import { sweepCommands } from "./commands/sweep.ts";
import { trainCommands } from "./commands/train.ts";
import { viewCommands } from "./commands/views.ts";
import type { Parts } from "./parts.ts";

/** Their arguments come from anywhere and are checked by each. */
export type Commands = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const groups: readonly ((parts: Parts) => Commands)[] = [
  runCommands,
  trainCommands,
  sweepCommands,
  claimsCommands,
  viewCommands,
  amountCommands,
  moduleCommands,
  historyCommands,
  supportCommands,
];

export const registerCommands = (parts: Parts): Disposable[] =>
  groups
    .flatMap((group) => Object.entries(group(parts)))
    .map(([name, command]) => commands.registerCommand(`normscope.${name}`, command));
