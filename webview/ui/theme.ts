/** The editor's colours, as charts need them. */

export interface ChartColours {
  readonly ink: string;
  readonly soft: string;
  readonly rule: string;
  readonly paper: string;
  readonly focus: string;
  readonly error: string;
  readonly font: string;
  /** Of the lines, in order. */
  readonly lines: readonly string[];
}

/** Dashes tell the lines apart where colours do not. */
export const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

const lineVariables = ["blue", "yellow", "purple", "green"] as const;

export function chartColours(): ChartColours {
  const style = getComputedStyle(document.body);
  const read = (variable: string): string => style.getPropertyValue(`--vscode-${variable}`).trim();
  const ink = read("foreground") || style.color;
  return {
    ink,
    soft: read("descriptionForeground") || ink,
    rule: faint(style.color),
    paper: read("editor-background") || style.backgroundColor,
    focus: read("focusBorder") || ink,
    error: read("editorError-foreground") || read("errorForeground") || ink,
    font: style.fontFamily,
    lines: lineVariables.map((name) => read(`charts-${name}`) || ink),
  };
}

/** "rgb(204, 204, 204)" seen through: for lines behind what matters. */
const faint = (computed: string): string =>
  `rgba(${(computed.match(/[\d.]+/g) ?? []).slice(0, 3).join(", ")}, 0.2)`;

/** The editor changes a class of the body and the variables of the root when its theme changes. */
export function onThemeChange(listener: () => void): void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributeFilter: ["class", "data-vscode-theme-id"] });
  observer.observe(document.documentElement, { attributeFilter: ["style"] });
}
