// Part 7 · Errors
import { check } from '../src/petstore/index.ts';
import * as rules from '../src/petstore/rules/index.ts';

const CODES_SHOWN = 5;

export const errors = [
  check('ERR-1', 'every error response has the Error shape', {
    everyAnswer: rules.hasErrorShape,
    exercise: ({ controls }) => controls.failOnceEach(),
  }),

  check('ERR-2', 'the status in an Error is the HTTP status', {
    everyAnswer: rules.errorHasTheHttpStatus,
    exercise: ({ controls }) => controls.failOnceEach(),
  }),

  check('ERR-3', 'the codes that errors carry are recorded', {
    stage: 'aged',
    looksBack: true,
    exercise: async ({ collection, controls, observe, inconclusive }) => {
      await controls.failOnceEach();
      for (const answered of [...collection.model.answeredBefore].toSorted()) observe(answered);
      if (collection.model.errorCodes.size === 0) inconclusive('nothing-to-judge', 'no error of this run had a code');
      for (const [status, codes] of [...collection.model.errorCodes].toSorted(([one], [other]) => one - other)) {
        const shown = [...codes].sort().slice(0, CODES_SHOWN);
        for (const code of shown) observe(`uses the code ${JSON.stringify(code)} with`, `a ${status}`);
        if (codes.size > CODES_SHOWN) observe('uses further codes with', `a ${status}`);
      }
    },
  }),
];
