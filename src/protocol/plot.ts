/** A plot as data, for whoever draws it: the terminal, a page of HTML, the editor. */

export interface Plot {
  readonly title: string;
  /** What is drawn, in one sentence. */
  readonly definition: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly PlotLine[];
}

export interface Axis {
  readonly label: string;
  readonly isLog: boolean;
}

export interface PlotLine {
  readonly name: string;
  readonly points: readonly Point[];
  /** A line that nothing was measured for: theory, a bound. */
  readonly isReference?: boolean;
}

export type Point = readonly [x: number, y: number];
