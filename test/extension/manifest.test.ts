/** The manifest against the conventions of UX that a script can check, and against the code. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contextKeys } from "../../src/extension/contextKeys.ts";
import { defaults } from "../../src/extension/settings.ts";
import { groupBy } from "../../src/present/groupBy.ts";
import { startEditor } from "./editor.ts";
import { fake } from "./fake/vscode.ts";

const read = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("package.json"));
const words: Record<string, string> = JSON.parse(read("package.nls.json"));
const german: Record<string, string> = JSON.parse(read("package.nls.de.json"));
const { contributes } = manifest;

interface Command {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly icon?: string;
  readonly enablement?: string;
}
interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}
interface Property {
  readonly type: string;
  readonly default: unknown;
  readonly markdownDescription: string;
  readonly scope: string;
  readonly order: number;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}
interface Group {
  readonly title: string;
  readonly order: number;
  readonly properties: Record<string, Property>;
}
const commands: readonly Command[] = contributes.commands;
const menus: Record<string, readonly MenuItem[]> = contributes.menus;
const groups: readonly Group[] = contributes.configuration;
const properties = groups.flatMap((group) => Object.entries(group.properties));
const word = (text: string): string => words[text.replaceAll("%", "")] ?? text;

test("the lowest editor that has the API is asked for, and its types are used", () => {
  const types = manifest.devDependencies["@types/vscode"];
  expect(manifest.engines.vscode).toBe(`^${types}`);
});

test("nothing is activated without need", () => {
  expect(manifest.activationEvents).toEqual([
    "onLanguage:python",
    "onWebviewPanel:normscope.panel",
  ]);
});

test("every command has a title in title case, a category, and a rule for the palette", () => {
  const small = /^(?:a|an|and|as|at|for|in|of|on|or|over|the|this|to|with)$/;
  for (const { command, title, category } of commands) {
    expect(category).toBe("Normscope");
    const text = word(title);
    const badWords = text
      .split(" ")
      .filter((it, i) => /^[a-z]/.test(it) && (i === 0 || !small.test(it)));
    expect({ command, badWords }).toEqual({ command, badWords: [] });
    expect(text).not.toMatch(/\p{Extended_Pictographic}/u);
  }
});

test("a command that stands in a title bar or inline has an icon of the editor's own", () => {
  const shown = [...(menus["editor/title"] ?? []), ...(menus["view/title"] ?? [])]
    .concat(menus["view/item/context"] ?? [])
    .filter(({ group }) => /^(?:navigation|inline)/.test(group ?? ""));
  for (const { command } of shown) {
    const { icon } = commands.find((it) => it.command === command) ?? {};
    expect({ command, icon }).toEqual({ command, icon: expect.stringMatching(/^\$\([\w-]+\)$/) });
  }
  const inline = (menus["view/item/context"] ?? []).filter(({ group }) =>
    group?.startsWith("inline"),
  );
  const perView = groupBy(inline, ({ when }) => /view == (\S+)/.exec(when ?? "")?.[1]);
  for (const items of perView.values()) expect(items.length).toBeLessThanOrEqual(2);
});

test("menus and keys name commands that are there", () => {
  const known = new Set(commands.map(({ command }) => command));
  const named = [...Object.values(menus).flat(), ...contributes.keybindings];
  expect(named.filter(({ command }) => !known.has(command))).toEqual([]);
});

test("commands of the manifest are those that the code registers", () => {
  const editor = startEditor("");
  const registered = [...fake.commands.keys()].toSorted();
  editor.dispose();
  expect(registered).toEqual(commands.map(({ command }) => command).toSorted());
});

test("what a context key says is set by the code", () => {
  const items: readonly { when?: string; enablement?: string }[] = [
    ...Object.values(menus).flat(),
    ...contributes.keybindings,
    ...contributes.viewsWelcome,
    ...commands,
  ];
  const conditions = items.flatMap(({ when, enablement }) => [when ?? "", enablement ?? ""]);
  const asked = conditions.flatMap((condition) =>
    [...condition.matchAll(/(?<!config\.|== )normscope\.(\w+)/g)].map(([, key]) => key ?? ""),
  );
  expect(new Set(asked)).toEqual(new Set(contextKeys));
});

test("few keys, all chords, each with a condition", () => {
  const keys: readonly { key: string; when: string }[] = contributes.keybindings;
  expect(keys.length).toBeLessThanOrEqual(6);
  for (const { key, when } of keys) {
    expect(key).toMatch(/^\S+ \S+$/);
    expect(when).not.toBe("");
  }
});

test("one view container, at most four views, each with an icon", () => {
  expect(contributes.viewsContainers.activitybar).toHaveLength(1);
  const views: readonly { icon: string }[] = contributes.views.normscope;
  expect(views.length).toBeLessThanOrEqual(4);
  for (const { icon } of views)
    expect(existsSync(new URL(`../../${icon}`, import.meta.url))).toBe(true);
  expect(read("media/normscope.svg")).toContain('width="24" height="24"');
  expect(new Set(read("media/normscope.svg").match(/#[0-9a-f]{3,6}/gi))).toEqual(new Set(["#000"]));
});

test("every colour of editor and tree is declared for all four kinds of theme", () => {
  const colors: readonly { id: string; defaults: object }[] = contributes.colors;
  for (const { defaults: byTheme } of colors) {
    expect(Object.keys(byTheme)).toEqual(["dark", "light", "highContrast", "highContrastLight"]);
  }
  const declared = new Set(colors.map(({ id }) => id));
  const sources = ["inlineValues", "findingMarks", "modelTree"].map((it) =>
    read(`src/extension/${it}.ts`),
  );
  const used = sources.join("").matchAll(/"(normscope\.\w+Foreground)"/g);
  expect([...used].map(([, id]) => id).filter((id) => !declared.has(id ?? ""))).toEqual([]);
});

test("settings are few, grouped, ordered and described, each under two lines", () => {
  expect(properties.length).toBeLessThan(35);
  expect(groups.map(({ order }) => order)).toEqual(groups.map((_, i) => i));
  for (const [name, property] of properties) {
    expect(name).toMatch(/^normscope\.\w+(\.\w+)*$/);
    expect(word(property.markdownDescription).length).toBeLessThan(160);
    expect(property.scope).toMatch(/^(?:window|resource|machine-overridable)$/);
    expect(property.enumDescriptions?.length).toBe(property.enum?.length);
  }
});

test("settings of the manifest are those that the code reads, with the same defaults", () => {
  const declared = Object.fromEntries(
    properties.map(([name, property]) => [name.replace("normscope.", ""), property.default]),
  );
  expect(declared).toEqual(defaults);
});

test("settings that name a path or a device cannot be set by an untrusted workspace", () => {
  const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
  expect(untrustedWorkspaces.supported).toBe("limited");
  const machine = properties
    .filter(([, it]) => it.scope === "machine-overridable")
    .map(([name]) => name);
  expect(untrustedWorkspaces.restrictedConfigurations).toEqual(expect.arrayContaining(machine));
  expect(virtualWorkspaces.supported).toBe(false);
});

test("the extension runs where the files are, and depends on no other", () => {
  expect(manifest.extensionKind).toEqual(["workspace"]);
  expect(manifest.extensionDependencies ?? []).toEqual([]);
});

test("the gallery has what it needs", () => {
  expect(manifest.keywords.length).toBeLessThanOrEqual(30);
  const header = readFileSync(new URL("../../media/icon.png", import.meta.url));
  expect(header.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
  expect(manifest.galleryBanner.color).toMatch(/^#[0-9A-F]{6}$/i);
});

test("the walkthrough has four to six steps, each with a button, a picture and an end", () => {
  const [{ steps }] = contributes.walkthroughs;
  expect(steps.length).toBeGreaterThanOrEqual(4);
  expect(steps.length).toBeLessThanOrEqual(6);
  for (const { description, media, completionEvents } of steps) {
    expect(word(description)).toMatch(/\[[^\]]+\]\(command:normscope\.\w+\)/);
    expect(read(media.svg)).toContain("var(--vscode-");
    expect(completionEvents.length).toBeGreaterThan(0);
  }
});

test("each empty state says what to do", () => {
  const welcomes: readonly { view: string; when?: string; contents: string }[] =
    contributes.viewsWelcome;
  const whens = welcomes.map(({ when }) => when ?? "").join(" | ");
  for (const state of ["!isWorkspaceTrusted", "normscope.failed", "normscope.hasModel"]) {
    expect(whens).toContain(state);
  }
  for (const { contents } of welcomes) expect(word(contents)).not.toBe(contents);
});

test("tools for language models say what they do, take what is declared, and only one runs", () => {
  const tools: readonly { name: string; modelDescription: string; inputSchema: object }[] =
    contributes.languageModelTools;
  expect(tools.map(({ name }) => name)).toEqual([
    "normscope_read_report",
    "normscope_explain_finding",
    "normscope_run_model",
  ]);
  for (const { modelDescription, inputSchema } of tools) {
    expect(modelDescription.length).toBeGreaterThan(80);
    expect(inputSchema).toMatchObject({ type: "object" });
  }
  expect(read("src/extension/languageModelTools.ts")).toContain("confirmationMessages");
});

test("ONNX files are opened with Normscope only when that is asked for", () => {
  const editors: readonly { priority: string }[] = contributes.customEditors;
  for (const { priority } of editors) expect(priority).toBe("option");
});

test("every text has a key, in both languages, and no key is left over", () => {
  const used = [...read("package.json").matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key ?? "");
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(words).toSorted());
  expect(Object.keys(german)).toEqual(Object.keys(words));
  const commandsOf = (text: string) => text.match(/\(command:[^)]*\)|#[\w.]+#|`[^`]*`/g);
  for (const [key, text] of Object.entries(words)) {
    expect({ key, links: commandsOf(german[key] ?? "") }).toEqual({ key, links: commandsOf(text) });
  }
});

test("no telemetry, and no address is asked at run time", () => {
  const code = ["main", "runs", "flows", "webviewPage"].map((it) => read(`src/extension/${it}.ts`));
  expect(code.join("")).not.toMatch(/https?:|createTelemetryLogger|fetch\(/);
});
