// Part 7 · Errors

import { part, requirement } from '../src/check/requirement.ts';
import { isError } from '../src/check/rules.ts';
import { quote } from '../src/text.ts';

export const errors = part('7', 'Errors', 'ERR', [
  requirement('ERR-1', 'every error has `code` and `message`, strings, and `status`, an integer', {
    about: 'message',
    when: isError,
    broken: ({ faults: [fault], status }) =>
      fault !== undefined && {
        says:
          fault.missing === undefined
            ? `in the Error of the ${status}, ${fault.message}`
            : `the ${status}'s Error has no \`${fault.missing}\``,
        member: fault.pointer,
        at: fault.pointer,
      },
  }),
  requirement('ERR-1', 'every error has a body', {
    about: 'message',
    when: ({ shape }) => shape === 'error',
    broken: ({ notJson, status }) => notJson !== undefined && `the ${status} has no Error: ${notJson}`,
  }),
  requirement('ERR-2', 'the `status` of an Error equals the HTTP status', {
    about: 'message',
    when: (seen) => isError(seen) && typeof seen.error?.status === 'number',
    broken: ({ error, status }) =>
      error?.status !== status && {
        says: `the Error says ${error?.status} in a response with ${status}`,
        at: '/status',
      },
  }),
  requirement('ERR-3', 'the codes of errors', {
    records: ({ error, status }) =>
      typeof error?.code === 'string' ? `answers ${status} with the code ${quote(error.code)}` : undefined,
  }),
]);
