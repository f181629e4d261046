/** What the model's file prints while it runs. */

export interface Printed {
  readonly stream: "stdout" | "stderr";
  /** The line that printed it; null: no line of the user's files did. */
  readonly file: string | null;
  readonly line: number | null;
  /** With the ends of its lines. */
  readonly text: string;
}
