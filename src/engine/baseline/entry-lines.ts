import { EVENT_ID, parseEvents } from 'js-yaml';

/** Where an entry stands: 1-based lines, both included, and the text of the first. */
export interface EntryLines {
  readonly line: number;
  readonly lastLine: number;
  readonly text: string;
}

/** Where the entries of a list in YAML or JSON stand, or the words of a text that is no list. */
export function entryLines(source: string): readonly EntryLines[] {
  const [lists, others] = [new Set<number>([EVENT_ID.SEQUENCE, EVENT_ID.MAPPING, EVENT_ID.DOCUMENT]), EVENT_ID.POP];
  const places: { start: number; end: number }[] = [];
  let depth = 0;
  for (const event of parseEvents(source, {})) {
    if (event.type === others) depth -= 1;
    const place =
      'start' in event
        ? { start: event.start, end: event.start + 1 }
        : 'valueStart' in event
          ? { start: event.valueStart, end: event.valueEnd }
          : undefined;
    // The document is the first level, its list the second.
    if (place !== undefined && depth === 1 && event.type === EVENT_ID.SCALAR) return wordLines(source, place.start);
    if (place !== undefined && depth === 2) places.push(place);
    const last = places.at(-1);
    if (last !== undefined && place !== undefined && place.end > last.end) last.end = place.end;
    if (lists.has(event.type)) depth += 1;
  }
  return places.map(({ start, end }) => between(source, start, end));
}

function wordLines(source: string, from: number): readonly EntryLines[] {
  return [...source.slice(from).matchAll(/\S+/g)].map(({ index, 0: word }) =>
    between(source, from + index, from + index + word.length),
  );
}

function between(source: string, start: number, end: number): EntryLines {
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length;
  const line = lineOf(start);
  return { line, lastLine: lineOf(Math.max(start, end - 1)), text: source.split('\n')[line - 1]?.trim() ?? '' };
}
