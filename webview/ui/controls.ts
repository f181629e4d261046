/**
 * The page's controls. Each has a label that is seen or spoken; whoever makes one cannot leave it
 * out. Only this file knows which library draws them: another one takes a change here alone.
 */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { type Child, element, icon, newId } from "./dom.ts";

export function registerControls(): void {
  provideVSCodeDesignSystem()
    .withPrefix("ns")
    .register(
      vsCodeButton(),
      vsCodeCheckbox(),
      vsCodeDropdown(),
      vsCodeOption(),
      vsCodePanels(),
      vsCodePanelTab(),
      vsCodePanelView(),
      vsCodeProgressRing(),
      vsCodeTextField(),
    );
}

export interface ButtonOptions {
  readonly label: string;
  /** Of the icon font. */
  readonly icon?: string;
  readonly look?: "primary" | "secondary" | "icon";
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}

/** With the look "icon" the label is spoken and shown when pointed at. */
export function button({
  label,
  look = "secondary",
  onPress,
  ...rest
}: ButtonOptions): HTMLElement {
  const made = custom("ns-button", { appearance: look });
  if (look === "icon") {
    made.append(icon(rest.icon ?? "circle"));
    made.setAttribute("aria-label", label);
    made.title = label;
  } else {
    if (rest.icon !== undefined) made.append(slotted(icon(rest.icon), "start"));
    made.append(label);
  }
  if (rest.isDisabled === true) made.setAttribute("disabled", "");
  made.addEventListener("click", onPress);
  return made;
}

export interface ValueOptions {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export interface SelectOptions extends ValueOptions {
  readonly choices: readonly Choice[];
  /** The label is spoken only. */
  readonly isLabelHidden?: boolean;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function select({ label, value, choices, onChange, ...rest }: SelectOptions): HTMLElement {
  const dropdown = custom("ns-dropdown", { "aria-label": label });
  for (const choice of choices) {
    const option = custom("ns-option", { value: choice.value }, choice.label);
    if (choice.value === value) option.setAttribute("selected", "");
    dropdown.append(option);
  }
  dropdown.addEventListener("change", () => onChange(typedIn(dropdown)));
  if (rest.isLabelHidden === true) return dropdown;
  // The dropdown takes no <label>; its aria-label says the same.
  const seen = element("span", { class: "label", "aria-hidden": "true" }, label);
  return element("div", { class: "field" }, seen, dropdown);
}

export interface TextFieldOptions extends ValueOptions {
  readonly placeholder?: string;
  /** Said beside the label: the type that an argument has. */
  readonly note?: string;
}

/** `onChange` hears every key. */
export function textField({ label, value, onChange, ...rest }: TextFieldOptions): HTMLElement {
  const field = custom("ns-text-field", { value, placeholder: rest.placeholder ?? "" }, label);
  if (rest.note !== undefined) field.append(element("span", { class: "note" }, ` ${rest.note}`));
  field.addEventListener("input", () => onChange(typedIn(field)));
  return field;
}

export interface CheckboxOptions {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function checkbox({ label, isChecked, onChange }: CheckboxOptions): HTMLElement {
  const box = custom("ns-checkbox", isChecked ? { checked: "" } : {}, label);
  box.addEventListener("change", () => onChange("checked" in box && box.checked === true));
  return box;
}

export interface TabsOptions {
  readonly label: string;
  readonly pages: readonly { readonly id: string; readonly title: string; readonly body: Node }[];
  readonly active: string;
  readonly onChange: (id: string) => void;
}

export interface Tabs {
  readonly element: HTMLElement;
  open(id: string): void;
}

export function tabs({ label, pages, active, onChange }: TabsOptions): Tabs {
  const prefix = newId("tab");
  const panels = custom("ns-panels", { activeid: `${prefix}-${active}`, "aria-label": label });
  for (const { id, title } of pages) {
    panels.append(custom("ns-panel-tab", { id: `${prefix}-${id}` }, title));
  }
  for (const { id, body } of pages) {
    panels.append(custom("ns-panel-view", { id: `${prefix}-${id}-view` }, body));
  }
  panels.addEventListener("change", (event) => {
    if (event.target !== panels) return;
    // The attribute follows the property a moment later.
    const id = "activeid" in panels ? String(panels.activeid) : "";
    onChange(id.slice(prefix.length + 1));
  });
  return {
    element: panels,
    open: (id) => panels.setAttribute("activeid", `${prefix}-${id}`),
  };
}

export const progressRing = (label: string): HTMLElement =>
  custom("ns-progress-ring", { role: "progressbar", "aria-label": label });

function custom(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, text] of Object.entries(attributes)) made.setAttribute(name, text);
  made.append(...children);
  return made;
}

function slotted(node: HTMLElement, slot: string): HTMLElement {
  node.slot = slot;
  return node;
}

const typedIn = (control: HTMLElement): string =>
  "value" in control && typeof control.value === "string" ? control.value : "";
