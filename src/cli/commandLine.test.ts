import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, test } from "vitest";
import { postReport, preReport } from "../../test/fixtures/reports.ts";
import type { Engine } from "../client/engineClient.ts";
import { cancelled, NormscopeError, torchError } from "../errors.ts";
import type { ExportRequest, RunRequest } from "../protocol/engine.ts";
import type { RunReport } from "../protocol/report.ts";
import { commandLine, type ExitCode } from "./commandLine.ts";
import type { Output } from "./output.ts";
import { outputFiles } from "./outputFiles.ts";

const reports = fileURLToPath(new URL("../../test/fixtures/reports", import.meta.url));
const modelsFolder = fileURLToPath(new URL("../../models", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "normscope-cli-"));
afterAll(() => rmSync(cwd, { recursive: true }));

beforeEach(() => {
  for (const name of readdirSync(cwd)) rmSync(join(cwd, name), { recursive: true });
  for (const name of ["pre.py", "post.py"]) {
    writeFileSync(join(cwd, name), readFileSync(join(reports, name)));
  }
});

interface Result {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
  readonly runs: readonly RunRequest[];
  readonly exports: readonly ExportRequest[];
}

/** Runs a command with an engine that answers at once. */
async function normscope(
  args: readonly string[],
  answer: (request: RunRequest) => RunReport = ({ file }) =>
    file.startsWith("post") ? postReport() : preReport(),
): Promise<Result> {
  const runs: RunRequest[] = [];
  const exports: ExportRequest[] = [];
  const written = { out: "", err: "" };
  const output = (name: "out" | "err"): Output => ({
    isTerminal: false,
    columns: 120,
    write: (text) => {
      written[name] += text;
    },
    paint: (_, text) => text,
  });
  const engine: Engine = {
    train: () => Promise.reject(new Error("nothing is trained here")),
    run: async (request) => {
      runs.push(request);
      return answer(request);
    },
    export: async (request) => {
      exports.push(request);
      writeFileSync(join(request.directory, request.name), "ONNX");
      return { files: [{ name: request.name, bytes: 4 }], nodes: 12, parameters: 34 };
    },
    detail: () => Promise.reject(new Error("no command asks for details")),
    memory: () => Promise.reject(new Error("no command asks for memory alone")),
    doctor: async () => ({
      versions: { normscope: "0.1.0", node: "20.20.2", onnxruntime: "1.30.0", pyodide: "314.0.7" },
      providers: [
        { name: "cuda", works: false, reason: "libcuda.so.1 is missing", remedy: "Install one" },
        { name: "cpu", works: true, reason: null, remedy: null },
      ],
      memory: { totalBytes: 16e9, freeBytes: 8e9 },
      processors: 8,
    }),
    rewrite: () => Promise.reject(new Error("no command of these tests asks")),
    survey: () => Promise.reject(new Error("no command of these tests asks")),
    count: async ({ models }) => models.map(({ sets }) => sets.map(() => 1234567890)),
    dispose: async () => undefined,
  };
  const code = await commandLine(args, {
    out: output("out"),
    err: output("err"),
    cwd,
    modelsFolder,
    files: outputFiles(),
    isDebug: false,
    newEngine: () => engine,
    ownCommand: ["normscope"],
    onInterrupt: () => () => undefined,
    confirm: async () => null,
    engine: () => engine,
  });
  return { code, ...written, runs, exports };
}

test("run prints facts, depth, blocks and lines", async () => {
  const { code, out, err } = await normscope(["run", "pre.py:PreLNTransformer"]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatchInlineSnapshot(`
    "model   PreLNTransformer  n_layers=4  d_model=64
    input   idx int64[4, 32]: uniform integers below 256
    loss    5.913  (next-token cross-entropy)
    blocks  4 × Pre-LN
    device  cpu  (cuda: libcuda.so.1: cannot open shared object file)
    graph   233 k parameters, 1234 nodes, 61.3 M FLOPs
    time    392 ms: trace 212 ms, build 83 ms, session 42 ms, run 9.7 ms
    seed    0, eval mode

    Over depth: blocks

                                first     last  over depth
    residual stream RMS          1.45     2.32  ▁▃▅▇
    attn / stream               0.350    0.175  ▇▃▂▁
    ffn / stream                0.620    0.310  ▇▃▂▁
    gradient at block output  2.00e-3  1.00e-3  ▇▃▂▁
    FFN weight gradient         0.358    0.179  ▇▃▂▁
    backward gain                1.20     1.20  ▄▄▄▄

    Per block: blocks

    block  stream  attn / stream  ffn / stream  grad at output  FFN weight grad  gain
        0    1.45          0.350         0.620         2.00e-3            0.358  1.20
        1    1.79          0.247         0.438         1.41e-3            0.253  1.20
        2    2.07          0.202         0.358         1.15e-3            0.207  1.20
        3    2.32          0.175         0.310         1.00e-3            0.179  1.20

    Per line: pre.py

    line  source                                forward RMS           gradient RMS        runs
      12  return self.down(F.gelu(self.up(x)))       → 0.62  ▄▄▄▄  ← 2.0e-3…1.0e-3  ▇▃▂▁    ×4
      24  x = x + self.attn(self.norm1(x))        → 1.3…2.1  ▁▃▅▇  ← 2.2e-3…1.1e-3  ▇▃▂▁    ×4
      25  x = x + self.ffn(self.norm2(x))         → 1.4…2.3  ▁▃▅▇  ← 2.0e-3…1.0e-3  ▇▃▂▁    ×4
    "
  `);
});

test("compare prints both sides of everything", async () => {
  const { code, out } = await normscope(["compare", "pre.py:A", "post.py:B"]);
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "model   Pre-LN   PreLNTransformer  n_layers=4  d_model=64
            Post-LN  PostLNTransformer  n_layers=4  d_model=64
    input   both     idx int64[4, 32]: uniform integers below 256
    loss    Pre-LN   5.913  (next-token cross-entropy)
            Post-LN  5.987  (next-token cross-entropy)
    blocks  Pre-LN   4 × Pre-LN
            Post-LN  4 × Post-LN
    device  both     cpu  (cuda: libcuda.so.1: cannot open shared object file)
    graph   both     233 k parameters, 1234 nodes, 61.3 M FLOPs
    time    both     392 ms: trace 212 ms, build 83 ms, session 42 ms, run 9.7 ms
    seed    both     0, eval mode

    Over depth: blocks

                                          Pre-LN                        Post-LN
                                 first     last  over depth     first     last  over depth
    residual stream RMS           1.45     2.32  ▁▃▅▇            1.00     1.00  ▄▄▄▄
    attn / stream                0.350    0.175  ▇▃▂▁           0.340    0.340  ▄▄▄▄
    ffn / stream                 0.620    0.310  ▇▃▂▁           0.710    0.710  ▄▄▄▄
    gradient at block output   2.00e-3  1.00e-3  ▇▃▂▁         4.00e-4  1.64e-3  ▁▂▄▇
    FFN weight gradient          0.358    0.179  ▇▃▂▁          0.0717    0.294  ▁▂▄▇
    backward gain                 1.20     1.20  ▄▄▄▄           0.630    0.630  ▄▄▄▄

    Per block: blocks

                stream         attn / stream     ffn / stream      grad at output    FFN weight grad        gain
    block   Pre-LN  Post-LN   Pre-LN  Post-LN   Pre-LN  Post-LN    Pre-LN  Post-LN   Pre-LN  Post-LN   Pre-LN  Post-LN
        0     1.45     1.00    0.350    0.340    0.620    0.710   2.00e-3  4.00e-4    0.358   0.0717     1.20    0.630
        1     1.79     1.00    0.247    0.340    0.438    0.710   1.41e-3  6.40e-4    0.253    0.115     1.20    0.630
        2     2.07     1.00    0.202    0.340    0.358    0.710   1.15e-3  1.02e-3    0.207    0.184     1.20    0.630
        3     2.32     1.00    0.175    0.340    0.310    0.710   1.00e-3  1.64e-3    0.179    0.294     1.20    0.630

    Per line of PreLNBlock: pre.py:15

    line  source                                forward RMS           gradient RMS        runs
      23  def forward(self, x):
      24      x = x + self.attn(self.norm1(x))    → 1.3…2.1  ▁▃▅▇  ← 2.2e-3…1.1e-3  ▇▃▂▁    ×4
      25      x = x + self.ffn(self.norm2(x))     → 1.4…2.3  ▁▃▅▇  ← 2.0e-3…1.0e-3  ▇▃▂▁    ×4
      26      return x

    Per line of PostLNBlock: post.py:15

    line  source                                forward RMS           gradient RMS        runs
      23  def forward(self, x):
      24      x = self.norm1(x + self.attn(x))        → 1.0  ▄▄▄▄  ← 4.4e-4…1.8e-3  ▁▂▄▇    ×4
      25      x = self.norm2(x + self.ffn(x))         → 1.0  ▄▄▄▄  ← 4.0e-4…1.6e-3  ▁▂▄▇    ×4
      26      return x

    Findings: Post-LN

    warning  The gradient at the last block's output is 4.1 times the first's
      post.py:15  ratio 4.10  stats/gradient-imbalance

    Modules that differ most

                              forward RMS               gradient RMS
    module              Pre-LN  Post-LN   ratio    Pre-LN  Post-LN   ratio
    blocks.0.attn        0.350    0.350   ×1.00   2.00e-3  4.00e-4  ×0.200
    blocks.0.ffn.up      0.800    0.800   ×1.00   1.00e-3  2.00e-4  ×0.200
    blocks.0.ffn.down    0.620    0.620   ×1.00   2.00e-3  4.00e-4  ×0.200
    blocks.0.ffn         0.620    0.620   ×1.00   2.00e-3  4.00e-4  ×0.200
    blocks.0              1.45     1.00  ×0.690   2.00e-3  4.00e-4  ×0.200
    blocks.0.norm2        1.00     1.00   ×1.00   1.40e-3  4.00e-4  ×0.286
    blocks.0.norm1        1.00     1.00   ×1.00   1.40e-3  4.40e-4  ×0.314
    blocks.3.norm1        1.00     1.00   ×1.00   7.00e-4  1.80e-3   ×2.57
    blocks.3.norm2        1.00     1.00   ×1.00   7.00e-4  1.64e-3   ×2.34
    blocks.3              2.32     1.00  ×0.430   1.00e-3  1.64e-3   ×1.64
    blocks.1.ffn.up      0.800    0.800   ×1.00   7.07e-4  3.20e-4  ×0.453
    blocks.1.attn        0.350    0.350   ×1.00   1.41e-3  6.40e-4  ×0.453
    "
  `);
});

test("every option reaches the engine", async () => {
  const { runs } = await normscope(
    "run pre.py:A --set n_layers=24 --set norm=RMSNorm --input idx=int64[2,64]<256 --loss x.sum() --seed 7 --mode train --device cpu --root . --packages lib".split(
      " ",
    ),
  );
  expect(runs).toEqual([
    {
      root: cwd,
      file: "pre.py",
      entry: "A",
      set: { n_layers: "24", norm: "'RMSNorm'" },
      inputs: [{ name: "idx", dtype: "int64", shape: [2, 64], below: 256 }],
      loss: "x.sum()",
      seed: 7,
      mode: "train",
      device: "cpu",
      packages: join(cwd, "lib"),
    },
  ]);
});

test("--json - leaves stdout to the report", async () => {
  const { out, err } = await normscope(["run", "pre.py:A", "--json", "-", "--html", "a/b.html"]);
  expect(JSON.parse(out)).toEqual(preReport());
  expect(err).toBe("written  a/b.html\n");
  expect(readFileSync(join(cwd, "a/b.html"), "utf8")).toMatch(/^<!doctype html>/);
});

test("saved reports can be compared", async () => {
  await normscope(["run", "pre.py:A", "--json", "a.json"]);
  const { code, out, runs } = await normscope(["compare", "a.json", "post.py:B"]);
  expect({ code, runs: runs.length }).toEqual({ code: 0, runs: 1 });
  expect(out).toContain("Pre-LN");
});

test("export puts the file in place and leaves nothing else", async () => {
  const { out, exports } = await normscope(["export", "pre.py:A", "--output", "out/a.onnx"]);
  expect(out).toMatchInlineSnapshot(`
    "file        size  content
    out/a.onnx   4 B  12 nodes, 34 parameters
    "
  `);
  expect(exports[0]).toMatchObject({ name: "a.onnx", storage: "auto", dynamic: false });
  expect(readdirSync(join(cwd, "out"))).toEqual(["a.onnx"]);
});

test("a failed export leaves nothing", async () => {
  writeFileSync(join(cwd, "empty.py"), "");
  mkdirSync(join(cwd, "out"));
  expect((await normscope(["export", "empty.py:A", "--output", "out/a.onnx"])).code).toBe(1);
  expect(readdirSync(join(cwd, "out"))).toEqual([]);
});

test("doctor says what each device is missing", async () => {
  expect((await normscope(["doctor"])).out).toMatchInlineSnapshot(`
    "System

    normscope    0.1.0
    node         20.20.2
    onnxruntime  1.30.0
    pyodide      314.0.7
    processors   8
    memory       8 GB free of 16 GB

    Devices

    device  state          reason                   what to do
    cuda    does not work  libcuda.so.1 is missing  Install one
    cpu     works
    "
  `);
});

test("models lists what can be run and set", async () => {
  writeFileSync(
    join(cwd, "m.py"),
    '"""A decoder. More."""\nclass M:\n    def __init__(self, n: int = 2):\n        pass\n',
  );
  expect((await normscope(["models", "."])).out).toMatchInlineSnapshot(`
    "m.py:M
      A decoder.
      n=2

    "
  `);
});

test("demo shows both placements and writes its files", async () => {
  const { code, out, runs } = await normscope(["demo"]);
  expect({ code, targets: runs.map(({ entry }) => entry) }).toEqual({
    code: 0,
    targets: ["PreLNTransformer", "PostLNTransformer"],
  });
  expect(out.slice(out.indexOf("\nWritten"))).toMatchInlineSnapshot(`
    "
    Written

    file                size  content
    out/pre_ln.onnx      4 B  12 nodes, 34 parameters
    out/post_ln.onnx     4 B  12 nodes, 34 parameters
    out/normscope.html        the depth profiles as charts, for a browser
    "
  `);
  expect(readdirSync(join(cwd, "out"))).toEqual(["normscope.html", "post_ln.onnx", "pre_ln.onnx"]);
});

const failing = (error: unknown) => () => {
  throw error;
};

test("an error shows its line, a hint and the code, and the exit code is 1", async () => {
  const error = new NormscopeError("trace/shape-mismatch", "MatMul needs A[..., M, K]", {
    place: { file: "pre.py", line: 24, column: 12 },
    hint: "Did you mean k.transpose(-2, -1)?",
  });
  const { code, err, out } = await normscope(["run", "pre.py:A"], failing(error));
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatchInlineSnapshot(`
    "error: MatMul needs A[..., M, K]
      pre.py:24
       24 │         x = x + self.attn(self.norm1(x))
          │             ^
      Did you mean k.transpose(-2, -1)?
      trace/shape-mismatch
    "
  `);
});

test("an exception of the model is named as Python names it", async () => {
  const { err } = await normscope(["run", "pre.py:A"], failing(torchError("ValueError", "no")));
  expect(err).toMatchInlineSnapshot(`
    "error: ValueError: no
      trace/python
    "
  `);
});

test("a mistake of ours says so", async () => {
  const { code, err } = await normscope(["run", "pre.py:A"], failing(new Error("internal: x")));
  expect(code).toBe(1);
  expect(err).toMatchInlineSnapshot(`
    "error: internal: x
      This is a mistake in Normscope, not in the model: please report it with the model file
      internal
    "
  `);
});

test("an interrupted run has its own exit code", async () => {
  expect((await normscope(["run", "pre.py:A"], failing(cancelled()))).code).toBe(130);
});

test.each([
  ["a directory", "folder", 1],
  ["an empty file", "empty.py", 1],
  ["a file of blanks", "blank.py:A", 1],
  ["binary junk", "junk.py:A", 1],
  ["a file that is not there", "nowhere.py", 2],
  ["a file without a model", "folder/a.py", 2],
])("%s is one readable error", async (_, target, exitCode) => {
  mkdirSync(join(cwd, "folder"));
  writeFileSync(join(cwd, "folder", "a.py"), "x = 1\n");
  writeFileSync(join(cwd, "empty.py"), "");
  writeFileSync(join(cwd, "blank.py"), "\n  \n");
  writeFileSync(join(cwd, "junk.py"), Buffer.from([120, 10, 255, 0, 254]));
  const { code, err, runs } = await normscope(["run", target]);
  expect({ code, runs: runs.length }).toEqual({ code: exitCode, runs: 0 });
  expect(err).toMatchSnapshot();
});

test.each([
  "nothing",
  "run",
  "run pre.py:A --device tpu",
  "run pre.py:A --seed -1",
  "run pre.py:A --set n_layers",
  "run pre.py:A --set n=[1",
  "run pre.py:A --input idx",
  "export pre.py:A",
  "export pre.py:A --output a.pt",
  "compare a.json",
])("wrong usage ends with 2: %s", async (args) => {
  const { code, err, out } = await normscope(args.split(" "));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatchSnapshot();
});
