import { afterEach, beforeEach, expect, test } from "vitest";
import { createApi } from "../../src/extension/api.ts";
import { registerLanguageModelTools } from "../../src/extension/languageModelTools.ts";
import { type FakeEditor, startEditor } from "./editor.ts";
import { fake, type LanguageModelToolResult, type MarkdownString } from "./fake/vscode.ts";

let it: FakeEditor;
beforeEach(() => {
  it = startEditor("class PreLNTransformer(nn.Module):\n    pass\n");
  registerLanguageModelTools(it.ctx);
});
afterEach(() => it.dispose());

interface Tool {
  invoke(options: { input: object }, token: object): Promise<LanguageModelToolResult>;
  prepareInvocation(options: { input: object }): {
    confirmationMessages: { title: string; message: MarkdownString };
  };
}
const tool = (name: string) => fake.providers.get(name) as Tool;
const token = { onCancellationRequested: () => ({ dispose: () => undefined }) };
const ask = async (name: string, input: object): Promise<string> =>
  (await tool(name).invoke({ input }, token)).content.map(({ value }) => value).join("");
const uri = "file:///models/pre.py";

test("the report is read, and nothing is run for it", async () => {
  expect(await ask("normscope_read_report", {})).toContain("No model was run");
  await it.run();
  expect(await ask("normscope_read_report", {})).toContain("PreLNTransformer");
  expect(it.engine.requests).toBe(1);
});

test("running asks first, and what it names is text", () => {
  const input = { uri, entry: "Net", set: { d: "[x](command:y)" } };
  const { message } = tool("normscope_run_model").prepareInvocation({ input }).confirmationMessages;
  expect(message.value).toContain("pre\\.py:Net");
  expect(message.value).not.toContain("](command:");
});

test("running answers with the report, or with why not", async () => {
  const input = { uri, entry: "PreLNTransformer" };
  expect(await ask("normscope_run_model", input)).toContain("Over the blocks");
  it.engine.answer = async () => {
    throw new Error("out of luck");
  };
  expect(await ask("normscope_run_model", input)).toBe("The run failed: out of luck");
  fake.isTrusted = false;
  expect(await ask("normscope_run_model", input)).toContain("not trusted");
  expect(it.engine.requests).toBe(2);
});

test("other extensions run a model and hear of reports", async () => {
  const api = createApi(it.ctx);
  const heard: unknown[] = [];
  api.onDidChangeReport((report) => heard.push(report));
  expect(api.report).toBeNull();
  const report = await api.run(uri, "PreLNTransformer", { seed: 3 });
  expect(heard).toEqual([report]);
  expect(api).toMatchObject({ version: 1, report });
});
