/** Elements made of attributes, nodes and text. Text is never read as markup. */

export type Child = Node | string;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, text] of Object.entries(attributes)) made.setAttribute(name, text);
  made.append(...children);
  return made;
}

/** A glyph of the icon font, which says nothing to a screen reader. */
export const icon = (glyph: string): HTMLElement =>
  element("span", { class: `codicon codicon-${glyph}`, "aria-hidden": "true" });

let lastId = 0;

/** Unique within the page. */
export const newId = (prefix: string): string => `${prefix}-${++lastId}`;
