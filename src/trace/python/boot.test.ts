import { expect, test } from "vitest";
import { pythonIn, workspaceWith } from "../../../test/python/workspace.ts";
import { torchError } from "../../errors.ts";
import { PythonFailure } from "./failure.ts";

test("calls a function of the workspace and returns what it returns", async () => {
  const root = workspaceWith({
    "model.py": "def build(width, names): return [width * 2, 0.5, None, True, names, {'k': b'ab'}]",
  });
  const python = await pythonIn(root);
  const result = python.call("model", "build", 4, ["a", "b"]);
  expect(result).toMatchObject({ ok: true });
  expect(result.ok && JSON.parse(JSON.stringify(result.value))).toEqual([
    8,
    0.5,
    null,
    true,
    ["a", "b"],
    { k: { "0": 97, "1": 98 } },
  ]);
});

test("gives the host's functions plain values, and Python what they return", async () => {
  const root = workspaceWith({
    "model.py": [
      "import _normscope_host as host",
      "def step():",
      "    return repr(host.echo(None, True, 3, 2.5, 'ü', (1, [2]), {'a': None}, b'x'))",
      "def arrays():",
      "    return list(host.array())",
    ].join("\n"),
  });
  const seen: unknown[] = [];
  const python = await pythonIn(root, {
    echo: (...args) => {
      seen.push(...args);
      return args.slice(0, 7);
    },
    array: () => new Float32Array([0.5, 2]),
  });
  expect(python.call("model", "step")).toEqual({
    ok: true,
    value: "[None, True, 3, 2.5, 'ü', [1, [2]], {'a': None}]",
  });
  expect(JSON.parse(JSON.stringify(seen.slice(0, 7)))).toEqual([
    null,
    true,
    3,
    2.5,
    "ü",
    [1, [2]],
    { a: null },
  ]);
  expect(seen[7]).toEqual(new Uint8Array([120]));
  expect(python.call("model", "arrays")).toEqual({ ok: true, value: [0.5, 2] });
});

test("raises the host's errors as Python's, at the line that called", async () => {
  const root = workspaceWith({
    "model.py": [
      "import _normscope_host as host",
      "def forward():",
      "    host.emit('x')",
      "def caught():",
      "    try: host.emit('x')",
      "    except IndexError as error: return f'{error} {error.normscope_hint}'",
    ].join("\n"),
  });
  const python = await pythonIn(root, {
    emit: () => {
      throw torchError("IndexError", "index 3 is out of bounds", "Use 2");
    },
  });
  const result = python.call("model", "forward");
  expect(!result.ok && result.error).toMatchObject({
    type: "IndexError",
    message: "index 3 is out of bounds",
    code: "trace/python",
    hint: "Use 2",
    frames: [{ file: `${root}/model.py`, line: 3, column: 4, endColumn: 18, function: "forward" }],
  });
  expect(!result.ok && result.error.text.replaceAll(root, "")).toMatchInlineSnapshot(`
    "Traceback (most recent call last):
      File "/model.py", line 3, in forward
        host.emit('x')
        ~~~~~~~~~^^^^^
    IndexError: index 3 is out of bounds
    "
  `);
  expect(python.call("model", "caught")).toEqual({
    ok: true,
    value: "index 3 is out of bounds Use 2",
  });
});

test("a failure in a call made by the host is the same exception in the Python around it", async () => {
  const root = workspaceWith({
    "model.py": [
      "import _normscope_host as host",
      "class Odd(Exception): pass",
      "odd = Odd('hook failed')",
      "def hook(): raise odd",
      "def step():",
      "    try: host.run_hook()",
      "    except Odd as error: return error is odd",
    ].join("\n"),
  });
  const python = await pythonIn(root, {
    run_hook: () => {
      const result = python.call("model", "hook");
      if (!result.ok) throw new PythonFailure(result.error);
    },
  });
  expect(python.call("model", "step")).toEqual({ ok: true, value: true });
});

test("keeps what is printed, with its line, also the last one without its end", async () => {
  const root = workspaceWith({
    "model.py":
      "import sys\ndef f():\n  print('ünicode', 2)\n  print('no end', end='', file=sys.stderr)",
  });
  const python = await pythonIn(root);
  python.call("model", "f");
  expect(python.printed()).toEqual([
    { stream: "stdout", file: "model.py", line: 3, text: "ünicode 2\n" },
    { stream: "stderr", file: "model.py", line: 4, text: "no end" },
  ]);
});

test("stops keeping what an endless loop prints", async () => {
  const root = workspaceWith({
    "model.py": "def f():\n  for _ in range(3000): print('x' * 999)",
  });
  const python = await pythonIn(root);
  python.call("model", "f");
  const text = python
    .printed()
    .map((row) => row.text)
    .join("");
  expect(text.length).toBeLessThan(300_000);
  expect(text).toMatch(/\(more was printed than is kept\)\n$/);
});

test("refuses a workspace that would hide Python's library", async () => {
  await expect(pythonIn("/")).rejects.toThrow("The folder '/' cannot be the workspace");
});

test.each([
  ["raise SystemExit(3)", "SystemExit", "3"],
  ["raise KeyboardInterrupt", "KeyboardInterrupt", ""],
  ["return [0] * 10**9", "MemoryError", ""],
  ["f()", "RecursionError", "maximum recursion depth exceeded"],
  [
    "raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})",
    "E",
    "<the exception's text could not be made>",
  ],
  ["return lambda: 0", "TypeError", "'f' returned no plain value"],
])("describes what ends %s", async (body, type, message) => {
  const python = await pythonIn(workspaceWith({ "model.py": `def f(): ${body}` }));
  const result = python.call("model", "f");
  expect(!result.ok && result.error).toMatchObject({ type, message });
  expect(python.call("math", "sqrt", 4)).toEqual({ ok: true, value: 2 });
});

test("says that Python has ended when it broke, and keeps saying so", async () => {
  const python = await pythonIn(workspaceWith({ "model.py": "import os\ndef f(): os.abort()" }));
  const ended = { ok: false, error: { type: "SystemError" } };
  expect(python.call("model", "f")).toMatchObject(ended);
  expect(python.call("math", "sqrt", 4)).toMatchObject(ended);
});

test("keeps both ends of an endless recursion", async () => {
  const code = "import sys\ndef f():\n  sys.setrecursionlimit(10**5)\n  g()\ndef g(): g()";
  const python = await pythonIn(workspaceWith({ "model.py": code }));
  const result = python.call("model", "f");
  const frames = result.ok ? [] : result.error.frames;
  expect(frames).toHaveLength(100);
  expect(frames[0]).toMatchObject({ line: 4, function: "f" });
});

test("places a syntax error, in UTF-16 units", async () => {
  const python = await pythonIn(workspaceWith({ "model.py": "ok = 1\nx = '🙂é' + )\n" }));
  const result = python.call("model", "f");
  expect(!result.ok && result.error).toMatchObject({
    type: "SyntaxError",
    message: "unmatched ')'",
    frames: [{ line: 2, column: 12, endColumn: 13, library: false }],
  });
});
