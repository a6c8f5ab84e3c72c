/**
 * What an expression of PromQL refers to: metrics, the labels that it selects by, those that it
 * groups by, and functions. Brackets have to match.
 *
 * @module
 */

/** A selector of a series. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly {
    readonly label: string;
    readonly operator: string;
    readonly value: string;
  }[];
}

/** What one expression refers to. */
export interface References {
  readonly selectors: readonly Selector[];
  /** Labels of `by`, `on` and the like. */
  readonly groupings: readonly string[];
  readonly functions: readonly string[];
}

const TOKEN = new RegExp(
  [
    String.raw`\s+`,
    String.raw`"(?:[^"\\]|\\.)*"`,
    String.raw`\$?[A-Za-z_:][A-Za-z0-9_:]*`,
    String.raw`[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?:ms|[smhdwy])?`,
    String.raw`=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\[\],]`,
  ].join("|"),
  "y",
);
const WORD = /^[A-Za-z_:]/;
const GROUPINGS = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);
const OPERATORS = new Set(["and", "or", "unless", "bool", "offset"]);
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** Throws an `Error` on invalid PromQL. */
export function referencesOf(expression: string): References {
  return new Reader(tokensOf(expression), expression).read();
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const [token] = TOKEN.exec(expression) ?? [];
    if (token === undefined) throw new Error(`no PromQL: ${expression}`);
    if (token.trim() !== "") tokens.push(token);
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #expression: string;
  readonly #selectors: Selector[] = [];
  readonly #groupings: string[] = [];
  readonly #functions: string[] = [];
  #at = 0;

  constructor(tokens: readonly string[], expression: string) {
    this.#tokens = tokens;
    this.#expression = expression;
  }

  read(): References {
    const open: string[] = [];
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      if (token in CLOSING) open.push(CLOSING[token]!);
      else if (/^[)\]}]$/.test(token)) this.#require(open.pop() === token);
      else if (WORD.test(token) && open.at(-1) !== "]") this.#word(token);
    }
    this.#require(open.length === 0);
    return {
      selectors: this.#selectors,
      groupings: this.#groupings,
      functions: this.#functions,
    };
  }

  #word(word: string): void {
    if (OPERATORS.has(word)) return;
    if (GROUPINGS.has(word)) this.#groupings.push(...this.#list());
    else if (this.#peek() === "(" || GROUPINGS.has(this.#peek() ?? "")) this.#functions.push(word);
    else this.#selectors.push({ metric: word, matchers: this.#matchers() });
  }

  #list(): string[] {
    const labels: string[] = [];
    this.#require(this.#next() === "(");
    for (let token = this.#next(); token !== ")"; token = this.#next()) {
      this.#require(token !== undefined && (token === "," || WORD.test(token)));
      if (token !== ",") labels.push(token!);
    }
    return labels;
  }

  #matchers(): Selector["matchers"] {
    if (this.#peek() !== "{") return [];
    this.#next();
    const matchers = [];
    while (this.#peek() !== "}") {
      const [label = "", operator = "", value = ""] = [this.#next(), this.#next(), this.#next()];
      this.#require(WORD.test(label) && /^(=|!=|=~|!~)$/.test(operator) && value.startsWith('"'));
      matchers.push({ label, operator, value: value.slice(1, -1) });
      if (this.#peek() === ",") this.#next();
    }
    this.#next();
    return matchers;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  #require(holds: boolean): void {
    if (!holds) throw new Error(`no PromQL: ${this.#expression}`);
  }
}
