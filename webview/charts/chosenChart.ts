/** Several charts in the place of one: a control in the title chooses which is drawn. */
import type { LineChart } from "../model/lineChart.ts";
import type { Page } from "../page.ts";
import { select } from "../ui/controls.ts";
import { element } from "../ui/dom.ts";
import { lineView } from "./lineView.ts";

export interface ChosenChartOptions {
  /** Under which the choice is remembered. */
  readonly key: string;
  /** "Forward": of the control. */
  readonly label: string;
  readonly charts: readonly (readonly [string, LineChart])[];
  readonly onPick: (chart: LineChart, line: number, position: number) => void;
}

export function chosenChart(page: Page, options: ChosenChartOptions): HTMLElement {
  const { key, label, charts, onPick } = options;
  const place = element("div", {});
  const draw = (id: string) => {
    const chart = charts.find(([own]) => own === id)?.[1] ?? charts[0]?.[1];
    if (chart === undefined) return;
    const chooser = select({
      label,
      isLabelHidden: true,
      value: id,
      choices: charts.map(([value, it]) => ({ value, label: it.title })),
      onChange: (next) => {
        page.remember(key, next);
        draw(next);
        place.querySelector<HTMLElement>("figcaption > *:not(h3)")?.focus();
      },
    });
    const view = lineView(page, chart, {
      ...(charts.length > 1 ? { chooser } : {}),
      onPick: (line, position) => onPick(chart, line, position),
    });
    place.replaceChildren(view);
  };
  draw(page.recall(key, charts[0]?.[0] ?? ""));
  return place;
}
