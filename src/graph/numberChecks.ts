/**
 * What only a run can refuse: a graph looks up a row that its table of one row does not have, by
 * whose number the refusal is known.
 */
export interface NumberCheck {
  readonly row: number;
  readonly pythonType: "RuntimeError" | "ValueError";
  readonly message: string;
}

export const checks = {
  share: {
    row: 2 ** 41,
    pythonType: "RuntimeError",
    message: "all elements of input should be between 0 and 1",
  },
  variance: {
    row: 2 ** 41 + 1,
    pythonType: "ValueError",
    message: "var has negative entry/entries",
  },
  divisor: {
    row: 2 ** 41 + 2,
    pythonType: "RuntimeError",
    message: "ZeroDivisionError",
  },
} as const satisfies Record<string, NumberCheck>;

export const failedCheck = (row: number): NumberCheck | undefined =>
  Object.values(checks).find((check) => check.row === row);
