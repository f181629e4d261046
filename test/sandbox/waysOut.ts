/**
 * Ways that lead out of plain Pyodide, as Python code that defines `attempt()`. SECRET is an
 * environment variable of this process, OUTSIDE a folder beside the workspace with secret.txt in
 * it, PORT a listening server, and the host has echo(x), numbers() and fail().
 */

export interface WayOut {
  readonly name: string;
  readonly code: string;
  /** What `attempt()` returns in plain Pyodide; null where that has no such way either. */
  readonly plain: unknown;
  /** What it returns in the sandbox, or "Type: message" of what it raises. */
  readonly sandbox: unknown;
}

const readSecret = '"return process.env.NORMSCOPE_SECRET"';
const secret = "sesame";
const inFile = "secret of a file";
const noCode = "JsException: EvalError: Code generation from strings disallowed for this context";

const toJavaScript: readonly WayOut[] = [
  {
    name: "import js",
    code: "def attempt():\n  import js\n  return js.process.env.NORMSCOPE_SECRET",
    plain: secret,
    sandbox: "ModuleNotFoundError: No module named 'js'",
  },
  {
    name: "the constructor of a host function",
    code: `import _normscope_host as host\ndef attempt(): return host.echo.constructor(${readSecret})()`,
    plain: secret,
    sandbox: "AttributeError: constructor",
  },
  {
    name: "the prototype of a host function",
    code: `import _normscope_host as host\ndef attempt(): return getattr(host.echo, "__proto__").constructor(${readSecret})()`,
    plain: secret,
    sandbox: "AttributeError: __proto__",
  },
  {
    name: "bind, call and apply of a host function",
    code: `import _normscope_host as host\ndef attempt(): return host.echo.call.constructor(${readSecret})()`,
    plain: secret,
    sandbox: "AttributeError: call",
  },
  {
    name: "the constructor of what the host returns",
    code: `import _normscope_host as host\ndef attempt(): return host.numbers().constructor.constructor(${readSecret})()`,
    plain: secret,
    sandbox: "AttributeError: 'list' object has no attribute 'constructor'",
  },
  {
    name: "the constructor of what the host throws",
    code: [
      "import _normscope_host as host",
      "def attempt():",
      "  try: host.fail()",
      `  except Exception as error: return error.constructor.constructor(${readSecret})()`,
    ].join("\n"),
    plain: secret,
    sandbox: "AttributeError: 'RuntimeError' object has no attribute 'constructor'",
  },
  {
    name: "pyodide.code.run_js",
    code: 'def attempt():\n  from pyodide.code import run_js\n  return run_js("process.env.NORMSCOPE_SECRET")',
    plain: secret,
    sandbox: "ModuleNotFoundError: No module named 'pyodide'",
  },
  {
    name: "pyodide.ffi.to_js",
    code: `def attempt():\n  from pyodide.ffi import to_js\n  return to_js([]).constructor.constructor(${readSecret})()`,
    plain: secret,
    sandbox: "ModuleNotFoundError: No module named 'pyodide'",
  },
  {
    name: "_pyodide_core, imported",
    code: `def attempt():\n  import _pyodide_core\n  return _pyodide_core.to_js([]).constructor.constructor(${readSecret})()`,
    plain: secret,
    sandbox: "ModuleNotFoundError: No module named '_pyodide_core'",
  },
  {
    name: "_pyodide_core, loaded behind the import system's back",
    code: [
      "import importlib.machinery, importlib.util",
      "def attempt():",
      '  spec = importlib.machinery.BuiltinImporter.find_spec("_pyodide_core")',
      "  core = importlib.util.module_from_spec(spec)",
      `  return core.to_js([]).constructor.constructor(${readSecret})()`,
    ].join("\n"),
    plain: secret,
    sandbox: noCode,
  },
  {
    name: "an import system without the refusal",
    code: [
      "import sys",
      "def attempt():",
      "  saved = sys.meta_path[:]",
      '  sys.meta_path[:] = [f for f in saved if not f.__module__.startswith("normscope")]',
      "  try:",
      "    import pyodide_js",
      "    return bool(pyodide_js)",
      "  finally:",
      "    sys.meta_path[:] = saved",
    ].join("\n"),
    plain: true,
    sandbox: "ModuleNotFoundError: No module named 'pyodide_js'",
  },
  {
    name: "JavaScript's objects that the garbage collector knows",
    code: [
      "import gc",
      "def attempt():",
      "  for found in gc.get_objects():",
      "    for held in gc.get_referents(found):",
      '      if type(held).__name__ in ("JsProxy", "JsCallable", "JsDoubleProxy"):',
      `        try: return held.constructor.constructor(${readSecret})()`,
      "        except AttributeError: pass",
      '  return "nothing leads out"',
    ].join("\n"),
    plain: secret,
    sandbox: noCode,
  },
  {
    name: "modules that callers left in their frames",
    code: [
      "import sys",
      "def attempt():",
      "  frame = sys._getframe()",
      "  while frame:",
      "    for value in [*frame.f_globals.values(), *frame.f_locals.values()]:",
      '      if getattr(value, "__name__", "") in ("js", "pyodide_js", "_pyodide_core"):',
      "        return value.__name__",
      "    frame = frame.f_back",
      '  return "nothing leads out"',
    ].join("\n"),
    plain: "_pyodide_core",
    sandbox: "nothing leads out",
  },
  {
    name: "the environment by os.environ",
    code: 'import os\ndef attempt(): return sorted(os.environ) + [os.getenv("NORMSCOPE_SECRET")]',
    plain: null,
    sandbox: ["HOME", "USER", null],
  },
];

const toFiles: readonly WayOut[] = [
  {
    name: "a mount of the real disk",
    code: [
      "def attempt():",
      "  import pyodide_js",
      '  pyodide_js.mountNodeFS("/escape", OUTSIDE)',
      '  return open("/escape/secret.txt").read()',
    ].join("\n"),
    plain: inFile,
    sandbox: "ModuleNotFoundError: No module named 'pyodide_js'",
  },
  {
    name: "an absolute path",
    code: 'def attempt(): return open(OUTSIDE + "/secret.txt").read()',
    plain: null,
    sandbox: "FileNotFoundError: [Errno 44] No such file or directory: 'OUTSIDE/secret.txt'",
  },
  {
    name: "a relative path",
    code: 'def attempt(): return open("../outside/secret.txt").read()',
    plain: null,
    sandbox: "FileNotFoundError: [Errno 44] No such file or directory: '../outside/secret.txt'",
  },
  {
    name: "a symbolic link to a file",
    code: 'def attempt(): return open("file-link").read()',
    plain: null,
    sandbox: "PermissionError: [Errno 2] Permission denied: 'file-link'",
  },
  {
    name: "a symbolic link to a folder",
    code: 'def attempt(): return open("folder-link/secret.txt").read()',
    plain: null,
    sandbox: "NotADirectoryError: [Errno 54] Not a directory: 'folder-link/secret.txt'",
  },
  {
    name: "a symbolic link that Python makes",
    code: [
      "import os",
      "def attempt():",
      '  os.symlink(OUTSIDE + "/secret.txt", "made-link")',
      '  return open("made-link").read()',
    ].join("\n"),
    plain: null,
    sandbox: "FileNotFoundError: [Errno 44] No such file or directory: 'made-link'",
  },
  {
    name: "the folders above",
    code: "import os\ndef attempt(): return os.listdir('..')",
    plain: null,
    sandbox: ["workspace"],
  },
  {
    name: "/proc and /etc",
    code: 'import os\ndef attempt(): return [os.path.exists(p) for p in ("/proc/self/environ", "/proc/1", "/etc")]',
    plain: null,
    sandbox: [false, false, false],
  },
];

const toTheMachine: readonly WayOut[] = [
  {
    name: "os.system",
    code: 'import os\ndef attempt(): return os.system(f"echo x > {OUTSIDE}/marker")',
    plain: 0,
    sandbox: -1,
  },
  {
    name: "os.popen",
    code: 'import os\ndef attempt(): return os.popen("echo x").read()',
    plain: null,
    sandbox: "OSError: [Errno 138] emscripten does not support processes.",
  },
  {
    name: "subprocess",
    code: 'import subprocess\ndef attempt(): return subprocess.check_output(["echo", "x"])',
    plain: null,
    sandbox: "OSError: [Errno 138] emscripten does not support processes.",
  },
  {
    name: "fork",
    code: "import os\ndef attempt(): return os.fork()",
    plain: null,
    sandbox: "OSError: [Errno 52] Function not implemented",
  },
  {
    name: "exec",
    code: 'import os\ndef attempt(): return os.execv("/bin/sh", ["sh", "-c", "true"])',
    plain: null,
    sandbox: "OSError: [Errno 45] Exec format error",
  },
  {
    name: "multiprocessing",
    code: "def attempt():\n  import multiprocessing\n  multiprocessing.Process(target=print).start()",
    plain: null,
    sandbox: "ModuleNotFoundError: No module named '_multiprocessing'",
  },
  {
    name: "ctypes",
    code: [
      "def attempt():",
      "  import ctypes",
      "  run = ctypes.CDLL(None).emscripten_run_script_string",
      "  run.restype = ctypes.c_char_p",
      '  return run(b"process.env.NORMSCOPE_SECRET").decode()',
    ].join("\n"),
    plain: secret,
    sandbox: "ModuleNotFoundError: No module named 'ctypes', which ctypes.CDLL needs",
  },
  {
    name: "a socket",
    code: 'import socket\ndef attempt():\n  s = socket.socket()\n  s.connect(("127.0.0.1", PORT))\n  return "sent"',
    plain: "sent",
    sandbox: "OSError: [Errno 23] Host is unreachable",
  },
  {
    name: "a listening socket",
    code: 'import socket\ndef attempt():\n  s = socket.socket()\n  s.bind(("127.0.0.1", 0))\n  s.listen()\n  s.accept()',
    plain: null,
    sandbox: "OSError: [Errno 138] Not supported",
  },
  {
    name: "urllib",
    code: 'import urllib.request\ndef attempt(): return urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=1)',
    plain: null,
    sandbox: "URLError: <urlopen error [Errno 23] Host is unreachable>",
  },
  {
    name: "a name looked up in the network",
    code: 'import socket\ndef attempt(): return socket.gethostbyname("localhost.localdomain")',
    plain: null,
    sandbox: "172.29.1.0",
  },
];

export const waysOut: readonly WayOut[] = [...toJavaScript, ...toFiles, ...toTheMachine];
