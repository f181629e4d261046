/** Text as HTML shows it: for content and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']|(?![\t\n\r])\p{Cc}/gu, (it) => entities[it] ?? "\ufffd");

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
