/** A field for a path, and a button that asks the editor for it. */
import type { FileField } from "../../src/protocol/webview.ts";
import type { Page } from "../page.ts";
import { button, type TextFieldOptions, textField } from "../ui/controls.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

export interface FileFieldOptions extends TextFieldOptions {
  readonly field: FileField;
}

export const fileField = (page: Page, { field, ...options }: FileFieldOptions): HTMLElement =>
  element(
    "div",
    { class: "file-field" },
    textField(options),
    button({
      label: t("Choose a file: {0}", options.label),
      icon: "folder-opened",
      look: "icon",
      onPress: () => page.send({ type: "pickFile", field }),
    }),
  );
