// Part 9 · Versioning

import { part, requirement } from '../src/check/requirement.ts';
import { header, isFetched } from '../src/check/rules.ts';
import { REMOVAL_DATE } from '../src/contract/contract-facts.ts';

export const versioning = part('9', 'Versioning', 'VERS', [
  requirement('VERS-1', 'all three operations are found under /v1', {
    about: 'status',
    when: ({ reading: { key, query } }) => key.kind === 'right' && query?.isOtherPath !== true,
    broken: ({ reading: { operation, id }, status = 0 }) =>
      (status >= 300 && status < 400) || (status === 404 && operation !== 'getPet')
        ? id?.isOtherPath !== true && `${operation} is not found under the base address: the response is ${status}`
        : false,
  }),
  requirement('VERS-3', 'until 5 December 2030, getPet continues to work', {
    until: REMOVAL_DATE,
    about: 'status',
    when: ({ reading: { operation, key }, expected }) =>
      operation === 'getPet' && key.kind === 'right' && expected.requirement === 'GET-1',
    broken: ({ status = 0 }, known) =>
      status === 410 || (status >= 300 && status < 400) || (status === 404 && known.accepted('getPet') === undefined)
        ? `getPet answers ${status} before its removal date`
        : false,
  }),
  requirement('VERS-4', 'how getPet responds after its removal date', {
    from: REMOVAL_DATE,
    records: ({ reading: { operation, key }, expected, status }, known) =>
      operation === 'getPet' && key.kind === 'right' && expected.permitted.some(({ from }) => from === 410)
        ? `answers ${status} after ${REMOVAL_DATE}${known.ownAnimals.length > 0 ? '' : ' (nothing added)'}`
        : undefined,
  }),
  requirement('VERS-5', 'Deprecation and Sunset headers of getPet', {
    records: (seen) => {
      if (!isFetched(seen)) return undefined;
      const sent = ['Deprecation', 'Sunset'].filter((name) => header(seen, name) !== undefined);
      return `sends ${sent.length === 0 ? 'neither Deprecation nor Sunset' : sent.join(' and ')}`;
    },
  }),
]);
