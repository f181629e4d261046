/** Inputs that replace the inferred ones: a row each, as many as wanted. */
import type { InputContent } from "../model/configuration.ts";
import { button, textField } from "../ui/controls.ts";
import { element } from "../ui/dom.ts";
import { t } from "../ui/strings.ts";

export function inputList(
  inferred: readonly string[],
  initial: readonly InputContent[],
  onChange: (inputs: readonly InputContent[]) => void,
): HTMLElement {
  let inputs = [...initial];
  const rows = element("div", {});
  const change = (next: InputContent[]) => {
    inputs = next;
    onChange(inputs);
  };
  const draw = () => {
    rows.replaceChildren(
      ...inputs.map((input, i) =>
        row(
          input,
          (part) => change(inputs.map((it, j) => (j === i ? { ...it, ...part } : it))),
          () => {
            change(inputs.filter((_, j) => j !== i));
            draw();
          },
        ),
      ),
    );
  };
  draw();
  const add = button({
    label: t("Add an input"),
    icon: "add",
    onPress: () => {
      change([...inputs, { name: "", dtype: "float32", shape: "", below: "" }]);
      draw();
    },
  });
  return element(
    "div",
    {},
    element("h2", {}, t("Inputs")),
    element("p", { class: "note" }, t("Inputs that are not named here are made for the model.")),
    ...inferred.map((text) => element("p", { class: "note" }, text)),
    rows,
    element("div", { class: "actions" }, add),
  );
}

function row(
  { name, dtype, shape, below }: InputContent,
  onChange: (part: Partial<InputContent>) => void,
  onRemove: () => void,
): HTMLElement {
  return element(
    "div",
    { class: "form input-row", role: "group", "aria-label": t("Input {0}", name) },
    textField({ label: t("Name"), value: name, onChange: (text) => onChange({ name: text }) }),
    textField({ label: t("Type"), value: dtype, onChange: (text) => onChange({ dtype: text }) }),
    textField({
      label: t("Shape"),
      value: shape,
      placeholder: "4, 64",
      onChange: (text) => onChange({ shape: text }),
    }),
    textField({
      label: t("Integers below"),
      value: below,
      placeholder: t("vocabulary size"),
      onChange: (text) => onChange({ below: text }),
    }),
    button({ label: t("Remove {0}", name), icon: "trash", look: "icon", onPress: onRemove }),
  );
}
