/** Samples, explanations, devices, and what helps when something does not work. */
import { copyFile, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationTarget, commands, env, l10n, Uri, version, window, workspace } from "vscode";
import { devices } from "../../protocol/choices.ts";
import type { DoctorReport } from "../../protocol/engine.ts";
import type { Commands } from "../commands.ts";
import { doctorText } from "../doctorText.ts";
import { explanation } from "../explanations.ts";
import { tellFailure } from "../failures.ts";
import type { Parts } from "../parts.ts";
import { readSettings } from "../settings.ts";
import { setUpCuda } from "../setUpCuda.ts";

export const supportCommands = ({ ctx, documents }: Parts): Commands => {
  const { extension, log } = ctx;
  const ask = async (): Promise<DoctorReport | null> => {
    try {
      return await ctx.engine().doctor();
    } catch (error) {
      void tellFailure(ctx, error);
      return null;
    }
  };
  return {
    /** Returns what was found, as `normscope doctor --json -` prints it. */
    async doctor(): Promise<DoctorReport | undefined> {
      const report = await ask();
      if (report === null) return undefined;
      await documents.show("Normscope Doctor", doctorText(report));
      return report;
    },
    async selectDevice(device): Promise<void> {
      const known = devices.find((it) => it === device);
      const chosen = known ?? (await askDevice(await ask()));
      if (chosen === undefined) return;
      const configuration = workspace.getConfiguration("normscope");
      await configuration.update("device", chosen, ConfigurationTarget.Global);
    },
    setUpCuda: () => setUpCuda(ctx),
    openSample: () => openSample(extension.extensionPath, extension.globalStorageUri),
    /** Opens what the documentation says of a code. */
    async explain(code): Promise<void> {
      if (typeof code !== "string") return;
      const text = await explanation(extension.extensionPath, code);
      const unknown = l10n.t("The documentation has no section on this code.");
      await documents.show(code.replace("/", " "), `${code}\n\n${text ?? unknown}\n`);
    },
    async silenceRule(code): Promise<void> {
      if (typeof code !== "string") return;
      const silenced = [...new Set([...readSettings().silenced, code])];
      const target =
        workspace.workspaceFolders === undefined
          ? ConfigurationTarget.Global
          : ConfigurationTarget.Workspace;
      const configuration = workspace.getConfiguration("normscope");
      await configuration.update("findings.silenced", silenced, target);
    },
    showLog: () => log.show(),
    reportIssue: () =>
      commands.executeCommand("workbench.action.openIssueReporter", {
        extensionId: extension.extension.id,
        issueBody: issueBody(ctx),
      }),
    async collectDiagnostics(): Promise<void> {
      const [folder] =
        (await window.showOpenDialog({
          canSelectFiles: false,
          canSelectFolders: true,
          openLabel: l10n.t("Collect Here"),
        })) ?? [];
      if (folder === undefined) return;
      const facts = {
        versions: versions(ctx),
        settings: workspace.getConfiguration().get("normscope"),
        doctor: await ask(),
        failure: ctx.runs.failure && { code: ctx.runs.failure.code },
        runs: ctx.runs
          .heads()
          .map(({ at, facts: { device, totalMs } }) => ({ at, device, totalMs })),
      };
      const file = Uri.joinPath(folder, "normscope-diagnostics.json");
      const text = `${JSON.stringify(facts, null, 2)}\n`;
      await workspace.fs.writeFile(file, new TextEncoder().encode(text));
      await window.showTextDocument(file);
    },
    async about(): Promise<void> {
      const text = Object.entries(versions(ctx))
        .map(([name, it]) => `${name} ${it}`)
        .join("\n");
      const copy = l10n.t("Copy");
      const options = { modal: true, detail: text };
      const chosen = await window.showInformationMessage("Normscope", options, copy);
      if (chosen === copy) await env.clipboard.writeText(text);
    },
  };
};

function versions({ extension }: Parts["ctx"]): Record<string, string> {
  const manifest: { readonly version?: unknown } = extension.extension.packageJSON;
  return {
    Normscope: String(manifest.version),
    [l10n.t("Report schema")]: "1",
    "VS Code": version,
    Node: process.versions.node,
    [l10n.t("System")]: `${process.platform} ${process.arch}`,
  };
}

function issueBody(ctx: Parts["ctx"]): string {
  const { failure, current } = ctx.runs;
  const lines = Object.entries(versions(ctx)).map(([name, it]) => `- ${name}: ${it}`);
  const device = current?.report.device.provider;
  return [
    "### What happened, and what did you expect?",
    "",
    "### Versions",
    ...lines,
    ...(device === undefined ? [] : [`- Device: ${device}`]),
    ...(failure === null ? [] : [`- Last error: ${failure.code}: ${failure.message}`]),
  ].join("\n");
}

async function askDevice(
  report: DoctorReport | null,
): Promise<(typeof devices)[number] | undefined> {
  const now = readSettings().device;
  const items = devices.map((device) => {
    const state = report?.providers.find(({ name }) => name === device);
    const description = [
      device === now ? l10n.t("now") : "",
      state === undefined ? "" : state.works ? l10n.t("works") : (state.reason ?? ""),
    ].filter((part) => part !== "");
    return { label: device, description: description.join(", "), detail: state?.remedy ?? "" };
  });
  const chosen = await window.showQuickPick(items, { title: l10n.t("Device") });
  return devices.find((device) => device === chosen?.label);
}

/** Copies the models that come with Normscope once, so that they can be edited. */
async function openSample(extensionPath: string, storage: Uri): Promise<void> {
  const from = join(extensionPath, "models");
  const folder = join(storage.fsPath, "models");
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(from)) {
    if (!name.endsWith(".py")) continue;
    const target = join(folder, name);
    const isThere = await stat(target).catch(() => null);
    if (isThere === null) await copyFile(join(from, name), target);
  }
  await window.showTextDocument(Uri.file(join(folder, "pre_ln.py")), { preview: false });
}
