/** Texts that the extension writes for reading: they are no files and need not be saved. */
import { type Disposable, EventEmitter, Uri, window, workspace } from "vscode";

const scheme = "normscope";

export interface Documents {
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
