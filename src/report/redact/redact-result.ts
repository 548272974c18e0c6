/**
 * Members whose texts are words of the format, of the catalogue or of the suite. All others may hold what the service or
 * the user's options put there.
 */
const WORDS: ReadonlySet<string> = new Set(
  `format name version specification id profile narrowedTo startedAt interrupted verdict part source kind title because
  readings status requirement check checks requirements unjudged stale see code role operation encoding pointer sentAt
  replay space tuples state expires sends end of`.split(/\s+/),
);

/**
 * A result, or a part of one, with every free text mapped; the words of the format are kept, so that it is as valid as
 * before. What is used in several places stays one object.
 */
export function withTexts<Part>(part: Part, map: (text: string) => string): Part;
export function withTexts(part: unknown, map: (text: string) => string): unknown {
  const known = new Map<object, unknown>();
  const mapped = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return WORDS.has(name) ? value : map(value);
    if (typeof value !== 'object' || value === null) return value;
    const made = known.get(value) ?? (Array.isArray(value) ? value.map((one) => mapped(one, name)) : members(value));
    known.set(value, made);
    return made;
  };
  const members = (value: object): unknown => {
    if ('base64' in value) return withoutSecret(value, String(value.base64), map);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapped(member, name)]));
  };
  return mapped(part, '');
}

/**
 * A body in base64 may contain a secret in its bytes, at any offset, or in the base64 text itself. Replacing either would
 * break the encoding, so the whole body is removed.
 */
function withoutSecret(
  { base64: _, ...body }: { readonly base64: unknown },
  base64: string,
  map: (text: string) => string,
) {
  const bytes = Buffer.from(base64, 'base64');
  const views = [bytes.toString('latin1'), bytes.toString('utf8'), bytes.toString('utf16le'), base64];
  if (views.every((view) => map(view) === view)) return { ...body, base64 };
  return { ...body, encoding: 'text', text: '[redacted]', cut: true };
}
