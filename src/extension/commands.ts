/** Every command of the palette, by its name. */
import { commands, type Disposable } from "vscode";
import { runCommands } from "./commands/run.ts";
import type { Ctx } from "./context.ts";

/** What a command does; its arguments come from anywhere and are checked by it. */
export type Command = (...args: readonly unknown[]) => unknown;

const groups: readonly ((ctx: Ctx) => Readonly<Record<string, Command>>)[] = [runCommands];

export const registerCommands = (ctx: Ctx): Disposable[] =>
  groups
    .flatMap((group) => Object.entries(group(ctx)))
    .map(([name, command]) => commands.registerCommand(`normscope.${name}`, command));
