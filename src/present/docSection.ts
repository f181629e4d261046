/** The text below a second-level heading of a documentation page that is exactly `title`. */
export function docSection(page: string, title: string): string | null {
  const lines = page.split(/\r?\n/);
  const start = lines.indexOf(`## ${title}`);
  if (start < 0) return null;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## "));
  const end = length < 0 ? undefined : start + 1 + length;
  return lines
    .slice(start + 1, end)
    .join("\n")
    .trim();
}
