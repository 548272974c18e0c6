import { createHash } from 'node:crypto';

/** Texts, and strings, of up to this size (UTF-16 units) are kept as they are. */
const LARGE = 8_192;
const BEGINNING_KEPT = 1_024;
const ENTRIES_KEPT = 1_000;
/** What part 2 of the specification names. */
const MEMBERS_KEPT: ReadonlySet<string> = new Set(['id', 'name', 'categoryId', 'status', 'code', 'message']);

/**
 * What of a parsed JSON text is kept. Of a large one that is the outline, so that memory stays bounded whatever a
 * service sends: the first 1,000 entries of an array, in each object the members that part 2 names, and for a long
 * string its {@link standIn}.
 *
 * @param length of the text
 */
export function outline(value: unknown, length: number): unknown {
  if (length <= LARGE) return value;
  // Entries are copied: one that was kept as it is could keep the whole text.
  return Array.isArray(value) ? value.slice(0, ENTRIES_KEPT).map(ofObject) : ofObject(value);
}

function ofObject(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ofMember(value);
  const kept: Record<string, unknown> = {};
  for (const name of MEMBERS_KEPT) {
    if (Object.hasOwn(value, name)) kept[name] = ofMember(Reflect.get(value, name));
  }
  return kept;
}

/** No member of part 2 is an array or an object: of those only the kind is kept. */
function ofMember(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value === 'object' && value !== null) return {};
  return typeof value === 'string' ? standIn(value) : value;
}

/** What stands for a long string: the same for the same string, and for no other. A short one stands for itself. */
export function standIn(value: string): string {
  if (value.length <= LARGE) return value;
  const digest = createHash('sha256').update(value).digest('hex');
  // A copy: a slice would keep all of the string that it is a slice of.
  const beginning = Buffer.from(value.slice(0, BEGINNING_KEPT), 'utf16le').toString('utf16le');
  return `${beginning}… (${value.length} characters, SHA-256 ${digest})`;
}
