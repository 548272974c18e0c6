/** Where the values of a JSON text stand, so that reports can lay it out, and mark one, letter by letter as it was sent. */
export interface JsonSpan {
  /** The first UTF-16 unit of the value, and the one after its last. */
  readonly from: number;
  readonly to: number;
  /** What an array or object contains; undefined for other values. */
  readonly parts?: readonly JsonPart[];
}

interface JsonPart {
  /** The name of a member, or the index of an entry. */
  readonly key: string;
  /** Where the member begins, with its name; the value of an entry. */
  readonly from: number;
  readonly value: JsonSpan;
}

/** Deeper and longer texts (UTF-16 units) are not laid out. */
const [DEEPEST, LONGEST] = [40, 1_000_000];
const TOKEN = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

/** The spans of a text; undefined if it is not JSON, or nested too deeply or too long. */
export function spansOf(text: string): JsonSpan | undefined {
  if (text.length > LONGEST) return undefined;
  const tokens = tokensOf(text);
  let at = 0;
  const next = () => tokens[at++] ?? { text: '', from: text.length };
  const isNext = (sign: string): boolean => tokens[at]?.text === sign;

  function value(depth: number): JsonSpan | undefined {
    const { text: first, from } = next();
    if (first !== '{' && first !== '[') return /^["\w-]/.test(first) ? { from, to: from + first.length } : undefined;
    const parts: JsonPart[] = [];
    const end = first === '{' ? '}' : ']';
    for (let nth = 0; !isNext(end) && depth < DEEPEST; nth += 1) {
      if (nth > 0 && next().text !== ',') return undefined;
      const name = first === '{' ? next() : undefined;
      if (name !== undefined && next().text !== ':') return undefined;
      const child = value(depth + 1);
      if (child === undefined) return undefined;
      parts.push({
        key: name === undefined ? `${nth}` : unquoted(name.text),
        from: name?.from ?? child.from,
        value: child,
      });
    }
    const last = next();
    return last.text === end ? { from, to: last.from + 1, parts } : undefined;
  }

  const whole = value(0);
  return at === tokens.length ? whole : undefined;
}

function tokensOf(text: string) {
  const tokens: { readonly text: string; readonly from: number }[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match?.[1] !== undefined; match = TOKEN.exec(text))
    tokens.push({ text: match[1], from: TOKEN.lastIndex - match[1].length });
  return tokens;
}

function unquoted(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return name;
  }
}

/** The keys of a JSON pointer. */
const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a pointer, or what would contain it if it is missing. */
export function spanAt(span: JsonSpan, pointer: string): JsonSpan {
  return keysOf(pointer).reduce((here, key) => here.parts?.find((part) => part.key === key)?.value ?? here, span);
}
