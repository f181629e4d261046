/** Writes a manifest entry's files, as they were at its commit, with its shims and driver. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * `mirror` holds git snapshots as owner+name/repo, bare or with .git inside. `kit` is the module
 * that makes the drivers' inputs.
 */
export function extract(entry, { mirror, kit, into }) {
  const files = (entry.files ?? []).map((file) =>
    typeof file === "string" ? { src: file } : file,
  );
  const git = files.length > 0 ? gitDirectory(mirror, entry.repo) : null;
  for (const file of files) {
    write(join(into, file.dst ?? file.src), edited(show(git, entry.commit, file.src), file));
  }
  for (const [name, text] of Object.entries(entry.shims ?? {})) write(join(into, name), text);
  write(join(into, "driver.py"), entry.driver);
  copyFileSync(kit, join(into, "normkit.py"));
}

function gitDirectory(mirror, repository) {
  const base = join(mirror, repository.replace("/", "+"));
  const candidates = [
    join(base, "repo", ".git"),
    join(base, "repo"),
    base,
    join(mirror, repository),
    `${join(mirror, repository)}.git`,
  ];
  const found = candidates.find((path) => existsSync(join(path, "HEAD")));
  if (found === undefined) throw new Error(`No snapshot of ${repository} under ${mirror}`);
  return found;
}

function show(git, commit, path) {
  const limitBytes = 2 ** 28;
  const text = execFileSync("git", ["-C", git, "show", `${commit}:${path}`], {
    encoding: "utf8",
    maxBuffer: limitBytes,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return text.replaceAll("\r\n", "\n");
}

/** Notebook cells become one file; blanked lines stay as empty ones, so that line numbers hold. */
function edited(source, { cells, blank = [], replace = [] }) {
  const lines = (cells === undefined ? source : codeCells(source, cells)).split("\n");
  for (const [first, last] of blank) lines.fill("", first - 1, Math.min(last, lines.length));
  let text = lines.join("\n");
  for (const [old, wanted] of replace) {
    if (!text.includes(old))
      throw new Error(`'${old}' is not in the file, so it cannot be replaced`);
    text = text.replaceAll(old, wanted);
  }
  return text;
}

function codeCells(notebook, wanted) {
  const code = JSON.parse(notebook).cells.filter(({ cell_type }) => cell_type === "code");
  const chosen = wanted === "all" ? code : wanted.map((i) => code[i]);
  // Lines for the notebook itself: %matplotlib, !pip.
  const plain = (line) => (/^\s*[%!]/.test(line) ? "" : line);
  const texts = chosen.map(({ source }) => [source].flat().join("").split("\n").map(plain));
  return `${texts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
