/** The value types of the editor's API, as far as the extension uses them. */

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
  isBefore({ line, character }: Position): boolean {
    return this.line < line || (this.line === line && this.character < character);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(a: number | Position, b: number | Position, c?: number, d?: number) {
    const isNumbers = typeof a === "number" && typeof b === "number";
    this.start = isNumbers ? new Position(a, b) : (a as Position);
    this.end = isNumbers ? new Position(c ?? 0, d ?? 0) : (b as Position);
  }
  contains(position: Position): boolean {
    return !position.isBefore(this.start) && !this.end.isBefore(position);
  }
}

export class Selection extends Range {
  get active(): Position {
    return this.end;
  }
}

export class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  private constructor(scheme: string, path: string, query = "", fragment = "") {
    this.scheme = scheme;
    this.path = path;
    this.query = query;
    this.fragment = fragment;
  }
  static file(path: string): Uri {
    return new Uri("file", path);
  }
  static from({ scheme, path }: { scheme: string; path: string }): Uri {
    return new Uri(scheme, path);
  }
  static parse(text: string): Uri {
    const [, scheme = "file", path = "", query = ""] =
      /^(\w[\w-]*):(?:\/\/)?([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
    return new Uri(scheme, path, query);
  }
  static joinPath(base: Uri, ...parts: string[]): Uri {
    const joined = new URL(parts.join("/"), `file://${base.path.replace(/\/?$/, "/")}`);
    return new Uri(base.scheme, joined.pathname.replace(/\/$/, ""));
  }
  get fsPath(): string {
    return this.path;
  }
  with({ fragment = this.fragment }: { fragment?: string }): Uri {
    return new Uri(this.scheme, this.path, this.query, fragment);
  }
  toString(): string {
    const separator = this.scheme === "file" ? "://" : ":";
    return `${this.scheme}${separator}${this.path}${this.query === "" ? "" : `?${this.query}`}`;
  }
}

export class CodeLens {
  readonly range: Range;
  command: unknown;
  constructor(range: Range) {
    this.range = range;
  }
}

export class MarkdownString {
  value: string;
  isTrusted: unknown;
  supportThemeIcons: boolean;
  constructor(value = "", supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class Hover {
  readonly contents: MarkdownString;
  readonly range: Range;
  constructor(contents: MarkdownString, range: Range) {
    this.contents = contents;
    this.range = range;
  }
}

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon extends ThemeColor {}

export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  source: unknown;
  code: unknown;
  relatedInformation: unknown;
  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeAction {
  readonly title: string;
  command: unknown;
  edit: WorkspaceEdit | undefined;
  diagnostics: unknown;
  constructor(title: string) {
    this.title = title;
  }
}

export class WorkspaceEdit {
  readonly inserted: { readonly position: Position; readonly text: string }[] = [];
  insert(_uri: Uri, position: Position, text: string): void {
    this.inserted.push({ position, text });
  }
  readonly replaced: {
    readonly range: Range;
    readonly text: string;
    readonly metadata: unknown;
  }[] = [];
  replace(_uri: Uri, range: Range, text: string, metadata: unknown): void {
    this.replaced.push({ range, text, metadata });
  }
}

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;
  constructor(label: string, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class InlayHintLabelPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class InlayHint {
  readonly position: Position;
  readonly label: InlayHintLabelPart[];
  constructor(position: Position, label: InlayHintLabelPart[]) {
    this.position = position;
    this.label = label;
  }
}

export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: LanguageModelTextPart[];
  constructor(content: LanguageModelTextPart[]) {
    this.content = content;
  }
}

export class EventEmitter<Data> {
  private readonly listeners = new Set<(data: Data) => unknown>();
  readonly event = (listener: (data: Data) => unknown) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(data: Data): void {
    for (const listener of [...this.listeners]) listener(data);
  }
  dispose(): void {
    this.listeners.clear();
  }
  get count(): number {
    return this.listeners.size;
  }
}
