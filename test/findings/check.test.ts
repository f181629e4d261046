/** `normscope check` as a person runs it: exit codes, baseline, reports. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../bin/normscope.mjs", import.meta.url));
const model = `${fileURLToPath(new URL("./faults.py", import.meta.url))}:OpenStack`;
const cwd = mkdtempSync(join(tmpdir(), "normscope-check-"));

afterAll(() => rmSync(cwd, { recursive: true }));

const check = (...args: readonly string[]) => checkOf(model, ...args);

function checkOf(target: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "check", target, ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("a finding fails the check until the baseline knows it", () => {
  const first = check("--github", "--sarif", "out.sarif", "--junit", "out.xml");
  expect(first.status).toBe(1);
  expect(first.stdout).toContain("::warning file=");
  expect(first.stderr).toContain("check/failed");
  expect(readFileSync(join(cwd, "out.sarif"), "utf8")).toContain("norm/no-final");
  expect(readFileSync(join(cwd, "out.xml"), "utf8")).toContain('failures="1"');
  expect(check("--baseline", "b.json", "--update").status).toBe(0);
  const known = check("--baseline", "b.json");
  expect({ status: known.status, out: known.stdout }).toMatchObject({ status: 0 });
  expect(known.stdout).toContain("0 of 1 fail");
}, 60_000);

test("other numbers fail it, and so does a baseline that is none", () => {
  check("--baseline", "c.json", "--update");
  const changed = check("--baseline", "c.json", "--seed", "1");
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain("baseline/gradient");
  expect(check("--baseline", "nowhere.json").status).toBe(2);
  expect(check("--update").status).toBe(2);
  expect(existsSync(join(cwd, "nowhere.json"))).toBe(false);
}, 60_000);

test("--fail-on and --ignore decide what fails", () => {
  expect(check("--fail-on", "error").status).toBe(0);
  expect(check("--ignore", "norm/no-final").stdout).toContain("0 of 0 fail");
}, 60_000);

test("--train counts what training finds, with its line", () => {
  const lab = `${fileURLToPath(new URL("../../models/lab.py", import.meta.url))}:LabDecoder`;
  const training = ["--train", "--steps", "12", "--lr", "1e-9", "--set", "n_layers=2"];
  const slow = checkOf(lab, ...training, "--sarif", "train.sarif", "--github");
  expect(slow.status).toBe(1);
  expect(slow.stdout).toMatch(/::warning file=\S*lab.py,line=\d+.*training\/small-updates/);
  expect(readFileSync(join(cwd, "train.sarif"), "utf8")).toContain("training/small-updates");
  const limit = ["--limit", "updateLeast=1e-12"];
  expect(checkOf(lab, ...training, ...limit).status).toBe(0);
  expect(checkOf(lab, ...training, "--ignore", "training/small-updates").status).toBe(0);
}, 60_000);
