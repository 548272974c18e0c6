import { fault } from '../changes.ts';
import type { Fault } from '../steps.ts';
import { EVERYTHING, readingLimit, refusingLimits, withLimit } from './builders.ts';

/** Part 8, limits. */
export const limitFaults: readonly Fault[] = [
  fault(
    'limit-1-refused',
    'LIM-1',
    '`limit=1` is refused.',
    refusingLimits((limit) => limit === 1),
  ),
  fault(
    'limit-1-gives-2',
    'LIM-1',
    '`limit=1` gives two animals.',
    withLimit((limit) => (limit === 1 ? 2 : limit)),
  ),

  fault(
    'limit-100-refused',
    'LIM-2',
    '`limit=100` is refused.',
    refusingLimits((limit) => limit === 100),
  ),
  fault(
    'limit-above-100-obeyed',
    'LIM-2',
    'A `limit` above 100 is accepted and applied.',
    readingLimit((text) => (/^\d{3,9}$/.test(text ?? '') ? Number(text) : undefined)),
  ),
  fault(
    'limit-with-leading-zero-compared-as-text',
    'LIM-2',
    'A `limit` with a leading zero, such as `0150`, is compared with "100" as text, and is then applied.',
    readingLimit((text) => (/^0+[1-9]\d*$/.test(text ?? '') ? Number(text) : undefined)),
  ),
  fault(
    'limit-pair-read-as-offset-and-count',
    'LIM-2',
    'A `limit` such as `1,1000` is pasted into SQL, where it is an offset and a count; only its first number is checked.',
    readingLimit((text) => (/^[1-9]\d?,\d+$/.test(text ?? '') ? Number(text?.split(',')[1]) : undefined)),
  ),
  fault(
    'limit-0-gives-everything',
    'LIM-2',
    '`limit=0` means no limit.',
    readingLimit((text) => (text === '0' ? EVERYTHING : undefined)),
  ),
  fault(
    'limit-word-gives-everything',
    'LIM-2',
    'A `limit` that is not a number means no limit.',
    readingLimit((text) => (text !== null && !/^-?\d+$/.test(text) ? EVERYTHING : undefined)),
  ),
];
