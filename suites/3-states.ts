// Part 3 · States and transitions
import { accepts, breach, check } from '../src/petstore/index.ts';
import { soundBody } from '../src/petstore/inputs/body.ts';

export const states = [
  check('STATE-1', 'an animal can be added without a status', {
    always: accepts('STATE-1'),
    provoke: async (context) => {
      await context.each([1, 2, 3], async () => {
        await context.service.create(soundBody(context.aPet(), 'STATE-1', 'a body without a status'));
      });
    },
  }),

  check('STATE-2', 'an omitted status becomes one of the three or stays absent, and all operations agree on it', {
    phase: 'fresh',
    provoke: async (context) => {
      const { service } = context;
      const { id, status, exchange } = await service.create(
        soundBody(context.aPet(), 'STATE-1', 'a body without a status'),
      );
      const reply = await service.get(id);
      const [animal] = reply.animals;
      const value = animal?.statusText;
      if (value !== undefined && animal?.status === undefined) {
        context.broken(
          breach('status-value', 'an omitted status is neither absent nor a PetStatus', 'a PetStatus, or none', value),
          exchange,
          reply.exchange,
        );
      }
      if (animal?.status !== status) {
        const fault = breach(
          'disagreement',
          'the 201 and getPet disagree on a status that was omitted',
          status ?? 'no status',
          animal?.status ?? 'no status',
        );
        context.broken(fault, exchange, reply.exchange);
      }
      context.observe(
        status === undefined ? 'leaves out an omitted status' : `gives an omitted status the value ${status}`,
      );
    },
  }),
];
