/** "Set Up CUDA": the command line's set-up in a process of its own, asked about and shown here. */
import { execFile } from "node:child_process";
import process from "node:process";
import { commands, l10n, ProgressLocation, Uri, window, workspace } from "vscode";
import { formatBytes } from "../present/number.ts";
import type { Ctx } from "./context.ts";

/** What `normscope doctor --install cuda --dry-run --json -` prints. */
interface Plan {
  readonly cuda: number;
  readonly source: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly target: string;
}

export interface SetUp {
  readonly isDone: boolean;
  /** Why not; null where somebody thought better of it. */
  readonly reason: string | null;
}

export async function setUpCuda(ctx: Ctx): Promise<SetUp> {
  const title = l10n.t("Setting up CUDA");
  const planned = await withProgress(title, () => asked(ctx, ["--dry-run"]));
  if ("failure" in planned) return refused(planned.failure);
  const plan = JSON.parse(planned.output) as Plan;
  const setUp = l10n.t("Set Up");
  const question = l10n.t("Set up the provider for CUDA {0}?", plan.cuda);
  const options = { modal: true, detail: detailOf(plan) };
  if ((await window.showInformationMessage(question, options, setUp)) !== setUp)
    return { isDone: false, reason: null };
  const done = await withProgress(title, () => asked(ctx, ["--yes"]));
  if ("failure" in done) return refused(done.failure);
  // The engine reads where its libraries are when it starts.
  await ctx.restartEngine();
  void window.showInformationMessage(l10n.t("CUDA works. The next run is on the GPU."));
  return { isDone: true, reason: null };
}

const withProgress = <Result>(title: string, work: () => Promise<Result>): Thenable<Result> =>
  window.withProgress({ location: ProgressLocation.Notification, title }, work);

function detailOf({ source, bytes, sha256, target }: Plan): string {
  const unknown = l10n.t("not known before it is fetched");
  return [
    l10n.t("Source: {0}", source),
    l10n.t("Size: {0}", bytes === null ? unknown : formatBytes(bytes)),
    l10n.t("SHA-256: {0}", sha256 ?? unknown),
    l10n.t("Target: {0}", target),
  ].join("\n");
}

type Answer = { readonly output: string } | { readonly failure: string };

function asked({ extension, log }: Ctx, words: readonly string[]): Promise<Answer> {
  const program = Uri.joinPath(extension.extensionUri, "dist", "cli.mjs").fsPath;
  const args = [program, "doctor", "--install", "cuda", ...words, "--json", "-"];
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: "1", NO_COLOR: "1" };
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  // A workspace that is not trusted may bring a Python environment of its own.
  const place = folder !== undefined && workspace.isTrusted ? { cwd: folder } : {};
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, ...place }, (error, output, errors) => {
      if (error === null) return resolve({ output });
      log.error(`set up CUDA: ${errors}`);
      resolve({ failure: sentencesOf(errors || error.message) });
    });
  });
}

/** "error: MESSAGE", a hint and a code stand on lines of their own. */
const sentencesOf = (text: string): string =>
  text
    .replace(/^error: /, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[a-z]+\/[a-z-]+$/.test(line))
    .join(". ");

function refused(reason: string): SetUp {
  const doctor = "Doctor";
  void window.showErrorMessage(reason, doctor).then((chosen) => {
    if (chosen === doctor) void commands.executeCommand("normscope.doctor");
  });
  return { isDone: false, reason };
}
