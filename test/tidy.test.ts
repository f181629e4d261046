/** The architecture and the housekeeping, as tests. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Which folder of src may import which. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  "errors.ts": ["errors"],
  protocol: ["errors.ts"],
  graph: ["errors.ts"],
  ops: ["errors.ts", "graph"],
  random: ["errors.ts", "graph", "ops"],
  autodiff: ["errors.ts", "graph", "ops"],
  weights: ["errors.ts", "graph", "ops", "random"],
  tokens: ["errors.ts", "graph", "weights"],
  trace: ["errors.ts", "graph", "ops", "random", "autodiff", "weights", "tokens"],
  stats: ["errors.ts", "graph", "ops", "protocol", "trace"],
  fuse: ["graph", "ops"],
  train: ["errors.ts", "protocol", "graph", "ops", "random", "trace", "stats"],
  findings: ["errors.ts", "protocol", "graph", "trace", "stats"],
  runtime: ["errors.ts", "graph", "protocol"],
  engine: [
    "errors.ts",
    "protocol",
    "graph",
    "ops",
    "random",
    "weights",
    "trace",
    "autodiff",
    "stats",
    "fuse",
    "train",
    "findings",
    "runtime",
  ],
  client: ["errors.ts", "protocol", "runtime"],
  setup: ["errors.ts", "runtime", "weights"],
  present: ["errors.ts", "protocol"],
  cli: ["errors.ts", "protocol", "client", "present", "setup"],
  extension: ["errors.ts", "protocol", "client", "present"],
};

/** Packages that exactly one folder may import. */
const home: Readonly<Record<string, string>> = {
  vscode: "extension",
  "onnxruntime-node": "runtime",
  pyodide: "trace",
};

const lineLimit = 400;

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes("node_modules"));
}

const sources = filesUnder("src", /\.ts$/);
const text = (file: string) => readFileSync(join(root, file), "utf8");
const importsOf = (file: string): string[] =>
  [...text(file).matchAll(/^(?:import|export)\b[^"';]*?from "([^"]+)"|^import "([^"]+)"/gm)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
const folderOf = (file: string): string => file.split("/")[1] ?? "";
const isTest = (file: string): boolean => /\.test\.ts$|InTest\.ts$/.test(file);

test("folders import what the table allows", () => {
  const violations: string[] = [];
  for (const file of sources.filter((source) => !isTest(source))) {
    const own = folderOf(file);
    for (const specifier of importsOf(file)) {
      if (specifier.endsWith(".json")) continue;
      if (specifier.startsWith(".")) {
        const target = folderOf(relative(root, resolve(root, dirname(file), specifier)));
        if (target !== own && !mayImport[own]?.includes(target))
          violations.push(`${file} imports ${specifier}: ${own} may not import ${target}`);
        continue;
      }
      const only = home[specifier.split("/")[0] ?? ""];
      if (only !== undefined && only !== own)
        violations.push(`${file} imports ${specifier}: only ${only} may`);
    }
  }
  expect(sources.length).toBeGreaterThan(100);
  expect(violations).toEqual([]);
});

test("the pages know what is shown, not who made it, and their controls stand in one file", () => {
  const pages = filesUnder("webview", /\.ts$/).filter((file) => !isTest(file));
  const violations = pages.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => {
        if (specifier === "@vscode/webview-ui-toolkit") return file !== "webview/ui/controls.ts";
        const target = relative(root, resolve(root, dirname(file), specifier));
        return target.startsWith("src/") && !/^src\/(?:present|protocol)\//.test(target);
      })
      .map((specifier) => `${file} imports ${specifier}`),
  );
  expect(pages.length).toBeGreaterThan(30);
  expect(violations).toEqual([]);
});

test("the pages take no text for markup", () => {
  const markup = /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc)\b/;
  const pages = filesUnder("webview", /\.ts$/);
  expect(pages.filter((file) => markup.test(text(file)))).toEqual([]);
});

test("every folder of src stands in the table", () => {
  const folders = new Set(sources.map(folderOf));
  expect([...folders].filter((folder) => mayImport[folder] === undefined)).toEqual([]);
});

test("no file is longer than it can be read", () => {
  const files = [
    ...sources,
    ...filesUnder("python", /\.py$/),
    ...filesUnder("scripts", /\.(mjs|py|ts)$/),
    ...filesUnder("test", /\.ts$/),
    ...filesUnder("webview", /\.(css|ts)$/),
  ];
  const long = files
    .map((file) => ({ file, lines: text(file).split("\n").length - 1 }))
    .filter(({ lines }) => lines > lineLimit);
  expect(long).toEqual([]);
});

test("no test is switched off or runs alone", () => {
  const marks = /\b(?:test|it|describe)\.(?:only|skip|todo)\b/;
  const tests = [...sources, ...filesUnder("test", /\.ts$/)].filter(isTest);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((file) => marks.test(text(file)) && !file.endsWith("tidy.test.ts"))).toEqual(
    [],
  );
});

test("every error code has a section in docs/errors.md", () => {
  const docs = text("docs/errors.md");
  const codes = sources
    .filter((file) => !isTest(file))
    .flatMap((file) => [...text(file).matchAll(/new NormscopeError\(\s*"([a-z-]+\/[a-z-]+)"/g)])
    .map((match) => match[1] ?? "");
  const python = filesUnder("python", /\.py$/).flatMap((file) =>
    [...text(file).matchAll(/"((?:plan|trace|weights|data)\/[a-z-]+)"/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  expect(codes.length).toBeGreaterThan(10);
  const missing = [...new Set([...codes, ...python])].filter(
    (code) => !docs.includes(`## ${code}\n`),
  );
  expect(missing).toEqual([]);
});

test("files name no machine, workplace or registry", () => {
  const files = [
    ...sources,
    ...filesUnder("python", /\.py$/),
    ...filesUnder("scripts", /\.(mjs|py|ts)$/),
    ...filesUnder("docs", /\.md$/),
    "package.json",
    "package-lock.json",
  ];
  const forbidden = /\/work\/|\/tmp\/w\b|\/opt\/torch|registry\.npmjs|farm-(?:studio|bench)/;
  expect(files.filter((file) => forbidden.test(text(file)))).toEqual([]);
});
