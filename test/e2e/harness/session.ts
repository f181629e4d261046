/** One editor with the extension and a folder of models, for the tests of a file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { type Folder, modelFolder, packagedExtension } from "./extension.ts";
import type { Process } from "./processes.ts";
import { type EditorServer, type ServerOptions, startServer } from "./server.ts";
import { watchPolicies } from "./webviews.ts";
import { openWindow, type WindowOptions } from "./workbench.ts";

export interface Session {
  readonly folder: Folder;
  readonly server: EditorServer;
  readonly browser: Browser;
  readonly page: Page;
  /** Violations of a page's policy so far. */
  readonly violations: readonly string[];
  /** The engine processes that run now. */
  engines(): Process[];
  close(): Promise<void>;
}

export interface SessionOptions extends Partial<ServerOptions>, WindowOptions {
  /** Text by name, beside the bundled models. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * What is open at first; null: nothing. The address names it, which is quick, but then a window
   * that is loaded anew has this file and nothing of what was open before.
   */
  readonly file?: string | null;
  readonly isWithoutFolder?: boolean;
}

export async function startSession(options: SessionOptions = {}): Promise<Session> {
  const folder = modelFolder();
  for (const [name, text] of Object.entries(options.files ?? {})) {
    writeFileSync(join(folder.path, name), text);
  }
  const server = await startServer({ vsix: packagedExtension(), ...options });
  const browser = await launchBrowser();
  const { file = "pre_ln.py", isWithoutFolder = false } = options;
  const url = server.urlOf(isWithoutFolder ? null : folder.path, file);
  const violations: string[] = [];
  const page = await openWindow(browser, url, {
    ...options,
    before: async (opened) => {
      await watchPolicies(opened, violations);
      await options.before?.(opened);
    },
  });
  return {
    folder,
    server,
    browser,
    page,
    violations,
    engines: () => server.processes().filter(({ command }) => command.includes("engine.mjs")),
    async close() {
      await browser.close();
      const killed = await server.close();
      folder.remove();
      if (killed.length > 0) throw new Error(`did not end by themselves: ${killed.join("; ")}`);
    },
  };
}
