import {
  answering,
  answersOf,
  changing,
  errorAnswer,
  everyNth,
  fault,
  isSuccess,
  textOf,
  type Which,
  without,
} from '../changing.ts';
import { Refusal } from '../errors.ts';
import type { Answer, Call, Fault, Operation, Steps } from '../steps.ts';

/** Changes every so many-th of some answers. */
const now = (count: number, which: Which, alter: (answer: Answer, call: Call) => Answer) => (steps: Steps) => {
  const due = everyNth(count);
  return answering((answer, call) => which(answer, call) && due(), alter)(steps);
};

/** Sends every so many-th of some answers in another way. */
const sendingNow = (count: number, which: Which, put: (answer: Answer, call: Call) => void) => (steps: Steps) => {
  const due = everyNth(count);
  return changing(
    'send',
    (usual) => (answer, call) => (which(answer, call) && due() ? put(answer, call) : usual(answer, call)),
  )(steps);
};

/** Describes every so many-th animal wrongly. */
const describingNow = (count: number, name: string, only?: Operation) => (steps: Steps) => {
  const due = everyNth(count);
  return changing('describePet', (usual) => (pet, call) => {
    const members = usual(pet, call);
    return (only === undefined || call.operation === only) && due() ? without(members, name) : members;
  })(steps);
};

const fetched = answersOf('getPet', 200);
const created = answersOf('createPet', 201);

export const intermittentFaults: readonly Fault[] = [
  fault(
    'one-in-30-answers-500',
    'SERV-4',
    'One answer in 30 is a 500.',
    now(30, isSuccess, () => errorAnswer(500)),
  ),
  fault(
    'one-in-20-creations-answers-500',
    'SERV-4',
    'One creation in 20 is answered with 500, though the animal is added.',
    now(20, created, () => errorAnswer(500)),
  ),
  fault(
    'one-in-50-resets',
    'SERV-5',
    'One connection in 50 is reset.',
    sendingNow(50, isSuccess, (_, call) => call.incoming.socket.resetAndDestroy()),
  ),
  fault(
    'one-in-50-hangs',
    'SERV-5',
    'One request in 50 is never answered.',
    sendingNow(50, isSuccess, () => {}),
  ),
  fault(
    'one-in-30-fetches-404',
    'GET-4',
    'One fetch in 30 misses the animal.',
    now(30, fetched, () => errorAnswer(404)),
  ),
  fault('one-in-50-animals-lacks-name', 'RES-2', 'One animal in 50 lacks its name.', describingNow(50, 'name')),
  fault(
    'one-in-20-lists-empty',
    'LIST-7',
    'One list in 20 is empty.',
    now(20, answersOf('listPets', 200), (answer) => ({ ...answer, body: '[]' })),
  ),
  fault('one-in-20-limits-exceeded', 'LIST-2', 'One list in 20 holds one animal more than `limit`.', (steps) => {
    const due = everyNth(20);
    return changing('readLimit', (usual) => (call) => usual(call) + (call.query.has('limit') && due() ? 1 : 0))(steps);
  }),
  fault('one-in-20-filters-lost', 'LIST-6', 'One filtered list in 20 is not filtered.', (steps) => {
    const due = everyNth(20);
    return changing(
      'selectPage',
      (usual) => (page, call) =>
        usual(page.status !== undefined && due() ? { ...page, status: undefined } : page, call),
    )(steps);
  }),
  fault('one-in-30-good-keys-refused', 'AUTH-1', 'One good key in 30 is refused.', (steps) => {
    const due = everyNth(30);
    return changing('authenticate', (usual) => (call) => {
      usual(call);
      if (due()) throw new Refusal(401, 'unauthorized', 'The API key is not valid.');
    })(steps);
  }),
  fault('one-in-4-keyless-let-in', 'AUTH-2', 'One request in four without a key is let in.', (steps) => {
    const due = everyNth(4);
    return changing('authenticate', (usual) => (call) => {
      if (call.header('authorization') === undefined && due()) return;
      usual(call);
    })(steps);
  }),
  fault('one-in-20-unknown-ids-found', 'GET-2', 'One unknown id in 20 is answered with the newest animal.', (steps) => {
    const due = everyNth(20);
    return changing(
      'findPet',
      (usual) => (id, call) => usual(id, call) ?? (due() ? call.shop.collection.newest(1, undefined)[0] : undefined),
    )(steps);
  }),
  fault(
    'one-in-20-creations-200',
    'CREATE-1',
    'One creation in 20 is answered with 200.',
    now(20, created, (answer) => ({ ...answer, status: 200 })),
  ),
  fault('one-in-20-creations-with-old-id', 'RES-5', 'One animal in 20 gets the id of the one before it.', (steps) => {
    const due = everyNth(20);
    let previous: bigint | undefined;
    return changing('assignId', (usual) => async (shop) => {
      const id = due() && previous !== undefined ? previous : await usual(shop);
      previous = id;
      return id;
    })(steps);
  }),
  fault('one-in-25-names-cut', 'RES-6', 'One name in 25 loses its last character.', (steps) => {
    const due = everyNth(25);
    return changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      return due() ? { ...pet, name: [...pet.name].slice(0, -1).join('') } : pet;
    })(steps);
  }),
  fault('one-in-20-statuses-changed', 'RES-8', 'One new animal in 20 is kept as sold, whatever was sent.', (steps) => {
    const due = everyNth(20);
    return changing('validateNewPet', (usual) => (body, call) => {
      const pet = usual(body, call);
      return due() ? { ...pet, status: pet.status === 'sold' ? 'available' : 'sold' } : pet;
    })(steps);
  }),
  fault(
    'one-in-40-as-text-plain',
    'SERV-2',
    'One answer in 40 is sent as text/plain.',
    now(40, isSuccess, (answer) => ({ ...answer, headers: { ...answer.headers, 'Content-Type': 'text/plain' } })),
  ),
  fault(
    'one-in-40-json-cut',
    'SERV-3',
    'One body in 40 lacks its last character.',
    now(40, isSuccess, (answer) => ({ ...answer, body: textOf(answer).slice(0, -1) })),
  ),
  fault('one-in-15-errors-lacks-code', 'ERR-1', 'One Error in 15 lacks its `code`.', (steps) => {
    const due = everyNth(15);
    return changing(
      'describeError',
      (usual) => (refusal, call) => (due() ? without(usual(refusal, call), 'code') : usual(refusal, call)),
    )(steps);
  }),
  fault(
    'one-in-15-invalid-statuses-accepted',
    'CREATE-7',
    'One invalid status in 15 is taken for `available`.',
    (steps) => {
      const due = everyNth(15);
      return changing('validateNewPet', (usual) => (body, call) => {
        try {
          return usual(body, call);
        } catch (refusal) {
          if (!(refusal instanceof Refusal && refusal.message.startsWith('status') && due())) throw refusal;
          return usual({ ...Object(body), status: 'available' }, call);
        }
      })(steps);
    },
  ),
];
