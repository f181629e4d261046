/** Texts that the extension writes for reading: they are no files and need not be saved. */
import { type Disposable, EventEmitter, languages, Uri, window, workspace } from "vscode";

const scheme = "normscope";

export interface Documents {
  /** `name` with its ending: "Doctor.md". */
  show(name: string, content: string): Promise<void>;
  readonly parts: readonly Disposable[];
}

export function createDocuments(): Documents {
  const texts = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  return {
    async show(name, content) {
      const uri = Uri.from({ scheme, path: `/${name}` });
      texts.set(uri.path, content);
      changed.fire(uri);
      const document = await workspace.openTextDocument(uri);
      if (name.endsWith(".md")) await languages.setTextDocumentLanguage(document, "markdown");
      await window.showTextDocument(document, { preview: true });
    },
    parts: [
      changed,
      workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: changed.event,
        provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
      }),
    ],
  };
}
