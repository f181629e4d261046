/** What language models may ask: two tools that read, and one that runs after a question. */
import {
  type Disposable,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  l10n,
  lm,
  MarkdownString,
  workspace,
} from "vscode";
import { evidenceOf } from "../present/findings.ts";
import { escapeMarkdown } from "../present/markdown.ts";
import { type DigestScope, reportDigest } from "../present/reportDigest.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { lastConfiguration } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import { explanation } from "./explanations.ts";
import { subjectOf } from "./runRequest.ts";

export function registerLanguageModelTools(ctx: Ctx): Disposable[] {
  // Editors that are built on VS Code may lack this API.
  if (typeof lm?.registerTool !== "function") return [];
  return [
    lm.registerTool("normscope_read_report", readReport(ctx)),
    lm.registerTool("normscope_explain_finding", explainFinding(ctx)),
    lm.registerTool("normscope_run_model", runModel(ctx)),
  ];
}

const answer = (text: string): LanguageModelToolResult =>
  new LanguageModelToolResult([new LanguageModelTextPart(text)]);

const readReport = ({ runs }: Ctx): LanguageModelTool<DigestScope> => ({
  invoke({ input }) {
    const { current } = runs;
    if (current === null) return answer("No model was run in this window yet.");
    const { file, module } = input;
    return answer(reportDigest(current.report, { file, module }));
  },
});

const explainFinding = ({
  extension,
  runs,
}: Ctx): LanguageModelTool<{ readonly code: string }> => ({
  async invoke({ input: { code } }) {
    const section = await explanation(extension.extensionPath, code);
    const found = runs.current?.report.findings.filter((it) => it.code === code) ?? [];
    const numbers = found.map(
      (it) => `${it.message} (${evidenceOf(it)}) at ${it.file ?? it.module ?? "the model"}`,
    );
    return answer([section ?? `No documentation of '${code}'.`, ...numbers].join("\n"));
  },
});

interface RunInput {
  readonly uri: string;
  readonly entry?: string | null;
  readonly set?: Readonly<Record<string, string>>;
}

const runModel = (ctx: Ctx): LanguageModelTool<RunInput> => {
  const configurationOf = ({ uri, entry = null, set = {} }: RunInput): RunConfiguration => ({
    ...lastConfiguration(ctx, uri, entry),
    set,
  });
  return {
    prepareInvocation({ input }) {
      const subject = escapeMarkdown(subjectOf(input.uri, input.entry ?? null));
      const settings = Object.entries(input.set ?? {}).map(([name, it]) => `${name}=${it}`);
      return {
        invocationMessage: l10n.t("Running {0}", subject),
        confirmationMessages: {
          title: l10n.t("Run Model"),
          message: new MarkdownString(
            [
              l10n.t("Run one forward and backward pass of {0}?", subject),
              escapeMarkdown(settings.join(", ")),
            ].join(" "),
          ),
        },
      };
    },
    async invoke({ input }, token) {
      if (!workspace.isTrusted) return answer("The workspace is not trusted: nothing is run.");
      const stop = token.onCancellationRequested(() => ctx.runs.cancel());
      try {
        const { report } = await ctx.runs.run(configurationOf(input));
        return answer(reportDigest(report));
      } catch (error) {
        return answer(`The run failed: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        stop.dispose();
      }
    },
  };
};
