// Part 1 · What the service does
import {
  breach,
  check,
  looksForInList,
  onResponse,
  seeAnimals,
  seeRefusals,
  walk,
  walks,
} from '../src/petstore/index.ts';
import { INT64_MAX } from '../src/petstore/inputs/int64.ts';
import { PET_STATUSES } from '../src/petstore/inputs/new-pet.ts';
import { oddBodies } from '../src/petstore/inputs/odd-bodies.ts';

export const service = [
  check('SERV-1', 'animals that were added are in the list, whatever they are', {
    phase: 'fresh',
    provoke: async (context) => {
      const pets = [
        ...[...PET_STATUSES, undefined].map((status) => context.aPet(status)),
        { ...context.aPet('pending'), name: `${context.aPet().name} "naïve" \\ 🐾` },
        { ...context.aPet('sold'), categoryId: context.mark.categories[0] ?? INT64_MAX },
      ];
      await context.each(pets, async (pet) => {
        const animal = await context.service.create(pet);
        const sightings = await Promise.all([
          looksForInList(context, animal),
          ...(animal.status === undefined ? [] : [looksForInList(context, animal, animal.status)]),
        ]);
        const leftOut = sightings.find(({ kind }) => kind === 'left out');
        if (leftOut !== undefined) {
          const message = `the list never shows animal ${animal.id}, though the page has room for it`;
          context.broken(
            breach('left-out', message, 'the animal in the list', 'a page without it'),
            animal.exchange,
            leftOut.page.exchange,
          );
        }
        if (sightings.every(({ kind }) => kind !== 'shown')) {
          context.inconclusive('out-of-sight', 'the list never showed an animal of ours: its pages are full of others');
        }
      });
    },
  }),

  check('SERV-1.model', 'any sequence of adding, getting and listing agrees with what was done', (context) =>
    context.every(walks(context.mark), 6, (steps) => walk(context, steps)),
  ),

  check('SERV-2', 'every response is sent as application/json', {
    always: onResponse(({ mediaType }, { body }) => {
      if (mediaType === 'application/json') return 'holds';
      if (body.length === 0) return 'silent';
      return breach(
        'media-type',
        `the response is sent as ${mediaType ?? 'nothing in particular'}`,
        'application/json',
        mediaType ?? 'no Content-Type',
      );
    }),
    provoke: async (context) => {
      await Promise.all([seeAnimals(context), seeRefusals(context)]);
    },
  }),

  check('SERV-3', 'every body is strict JSON in UTF-8', {
    always: onResponse(({ reading, mediaType }, { status, body }) => {
      if (reading.kind === 'json') return 'holds';
      // A refusal that does not even claim to be JSON is no Error, which is another requirement's concern.
      if (status >= 400 && (body.length === 0 || mediaType !== 'application/json')) return 'silent';
      return breach(reading.code, reading.sentence, 'strict JSON in UTF-8', reading.code);
    }),
    provoke: async (context) => {
      await Promise.all([seeAnimals(context), seeRefusals(context)]);
    },
  }),

  check('SERV-4', 'no request makes the service fail with a 5xx', {
    always: ({ status }) => {
      if (status === undefined) return 'silent';
      return status < 500 ? 'holds' : breach('server-error', `answers ${status}`, 'a documented status', `${status}`);
    },
    provoke: async (context) => {
      await context.each(oddBodies(context.aPet()), async (body) => {
        await context.service.tryCreate(body);
      });
    },
  }),

  check('SERV-5', 'every request is answered by one whole response in time', {
    phase: 'quiet',
    always: ({ exchange: { answer } }) => {
      if (answer.kind === 'response') return 'holds';
      return breach(answer.code, answer.sentence, 'one whole HTTP response', answer.code);
    },
    provoke: async ({ service }) => {
      // A connection that died may have been closed while it lay idle; on new connections that cannot be.
      do await service.tryList({ limit: 1 });
      while (service.doubtsResets);
    },
  }),
];
