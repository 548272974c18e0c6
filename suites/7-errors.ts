// Part 7 · Errors
import { breach, check, onRefusal, seeRefusals } from '../src/petstore/index.ts';

export const errors = [
  check('ERR-1', 'every error response has the Error shape', {
    always: onRefusal((reply, { body }) => {
      const { reading } = reply;
      if (reading.kind !== 'json') {
        const isOthers = body.length > 0 && reply.mediaType === 'application/json';
        return isOthers
          ? 'silent'
          : breach(
              'no-error',
              `the ${reply.status} has no Error: ${reading.sentence}`,
              'code, message and status',
              body.length === 0 ? 'no body' : 'no JSON',
            );
      }
      const [fault] = reply.schemaFaults;
      return fault === undefined
        ? 'holds'
        : breach(
            'error-shape',
            `the Error of the ${reply.status} is wrong: ${fault.message}`,
            'code, message and status',
            'another shape',
          );
    }),
    provoke: seeRefusals,
  }),

  check('ERR-2', 'the status in an Error is the HTTP status', {
    always: onRefusal(({ reading, status }) => {
      if (
        reading.kind !== 'json' ||
        typeof reading.value !== 'object' ||
        reading.value === null ||
        !('status' in reading.value)
      )
        return 'silent';
      const inBody: unknown = reading.value.status;
      if (typeof inBody !== 'number') return 'silent';
      return inBody === status
        ? 'holds'
        : breach('error-status', `the Error says ${inBody} and the response is a ${status}`, `${status}`, `${inBody}`);
    }),
    provoke: seeRefusals,
  }),

  check('ERR-3', 'the codes that errors carry are recorded', {
    phase: 'quiet',
    provoke: async (context) => {
      await seeRefusals(context);
      for (const [status, codes] of [...context.known.errorCodes].toSorted(([a], [b]) => a - b)) {
        context.observe(
          `uses the code ${[...codes]
            .slice(0, 5)
            .map((code) => JSON.stringify(code))
            .join(', ')} with a ${status}`,
        );
      }
    },
  }),
];
