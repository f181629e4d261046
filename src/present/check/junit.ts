/** A verdict as JUnit XML, as most test reports read it. */
import type { Issue, Verdict } from "./verdict.ts";
import { failures } from "./verdict.ts";

export function junit(verdict: Verdict): string {
  const { model, issues, compared } = verdict;
  const cases = issues.map((issue) => testCase(model, issue));
  const isSame = !issues.some(({ code }) => code.startsWith("baseline/"));
  const summary =
    compared === null || !isSame
      ? []
      : [`    <testcase classname="${xml(model)}" name="${compared} statistics as the baseline"/>`];
  const nothing =
    issues.length === 0 ? [`    <testcase classname="${xml(model)}" name="no findings"/>`] : [];
  const all = [...cases, ...summary, ...nothing];
  const counts = `tests="${all.length}" failures="${failures(verdict).length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Normscope" ${counts}>`,
    `  <testsuite name="${xml(model)}" ${counts}>`,
    ...all,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(model: string, { code, severity, message, file, line, passes }: Issue): string {
  const place = file === null ? "" : `${file}:${line ?? 1}`;
  const name = [code, place].filter((part) => part !== "").join(" ");
  const head = `    <testcase classname="${xml(model)}" name="${xml(name)}"`;
  if (passes) return `${head}/>`;
  const text = place === "" ? message : `${place}: ${message}`;
  return `${head}><failure type="${severity}" message="${xml(message)}">${xml(text)}</failure></testcase>`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Without the control characters that XML 1.0 cannot hold. */
const xml = (text: string): string =>
  Array.from(text, (letter) => {
    const isForbidden = letter < " " && !"\t\n\r".includes(letter);
    return isForbidden ? "" : (escapes[letter] ?? letter);
  }).join("");
