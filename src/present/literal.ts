/** Python and JSON literals of the command line, rewritten as Python literals. */
import { wrongUsage } from "../errors.ts";

const words: Readonly<Record<string, string>> = {
  true: "True",
  True: "True",
  false: "False",
  False: "False",
  null: "None",
  None: "None",
};

const closing: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

const tokenPattern =
  /\s*(?:([-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|([A-Za-z_][\w.]*)|([[\](){},:]))/y;

/**
 * `24`, `1e-5`, `true`, `None`, `[1, 2]`, `{"a": 1}` as Python writes them; a bare word is a string:
 * `RMSNorm` becomes `'RMSNorm'`.
 */
export function pythonLiteral(text: string): string {
  const tokens = tokenize(text);
  if (tokens !== null && isBalanced(tokens)) return tokens.map(spelled).join("");
  if (/[[\](){}"']/.test(text)) {
    throw wrongUsage(
      `'${text}' is no Python literal`,
      "Write 24, 1e-5, True, None, [1, 2] or text",
    );
  }
  return quoted(text);
}

interface Token {
  readonly kind: "number" | "string" | "word" | "mark";
  readonly text: string;
}

/** null where something is no token. */
function tokenize(text: string): Token[] | null {
  const pattern = new RegExp(tokenPattern);
  const tokens: Token[] = [];
  while (text.slice(pattern.lastIndex).trim() !== "") {
    const match = pattern.exec(text);
    if (match === null) return null;
    const [, number, string, word, mark = ""] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (string !== undefined) tokens.push({ kind: "string", text: string });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "mark", text: mark });
  }
  return tokens;
}

/** One value, its brackets closed in order, and a mark between any two values. */
function isBalanced(tokens: readonly Token[]): boolean {
  const open: string[] = [];
  let previous: Token | null = null;
  for (const token of tokens) {
    const isValue = token.kind !== "mark" || token.text in closing;
    const afterValue = previous !== null && (previous.kind !== "mark" || isCloser(previous));
    if (isValue && afterValue) return false;
    const close = closing[token.text];
    if (token.kind === "mark" && close !== undefined) open.push(close);
    else if (isCloser(token) && open.pop() !== token.text) return false;
    else if (isSeparator(token) && open.length === 0) return false;
    previous = token;
  }
  return tokens.length > 0 && open.length === 0;
}

const isCloser = ({ kind, text }: Token): boolean => kind === "mark" && /[\])}]/.test(text);

const isSeparator = ({ kind, text }: Token): boolean => kind === "mark" && /[,:]/.test(text);

function spelled({ kind, text }: Token): string {
  if (kind === "word") return words[text] ?? quoted(text);
  return kind === "mark" && isSeparator({ kind, text }) ? `${text} ` : text;
}

const quoted = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
