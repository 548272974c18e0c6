import { breaking, combine, onEveryNth, override, without } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError } from '../errors.ts';
import type { ApiResponse, Fault } from '../steps.ts';
import { has, hasLimit, hasStatus } from './conditions.ts';
import {
  describingOmitted,
  listingOnly,
  notingOmitted,
  refusingPets,
  whereStatusOmitted,
  withStatus,
} from './effects.ts';

/** Part 3, the status of an animal. */
// biome-ignore format: one table
export const stateFaults: readonly Fault[] = [
  ...breaking('STATE-1', {
    'only-one-omitted-status-taken': ['Only one animal may be added without a status, as with a unique index.',
      (steps) => {
        let taken = 0;
        return refusingPets((_, body) => {
          if (!has(body, 'status')) taken += 1;
          return !has(body, 'status') && taken > 1;
        })(steps);
      }],
    'omitted-status-answered-422': ['A body without a status is answered with 422.',
      refusingPets((_, body) => !has(body, 'status'), () =>
        new ApiError(422, 'invalid_body', 'The status is missing.'))],
    'one-in-5-omitted-statuses-refused': ['One body in five without a status is refused.',
      onEveryNth(5, (isDue) => refusingPets((_, body) => !has(body, 'status') && isDue()))],
  }),
  ...breaking('STATE-2', {
    'omitted-status-pending-when-read-back': [
      'Where the status is omitted, the 201 says available, but the animal is stored as pending.',
      whereStatusOmitted((own) => ({ store: (pet, call) => own.store({ ...pet, status: 'pending' }, call) }))],
    'omitted-status-absent-in-created-only': [
      'Where the status is omitted, the 201 has none, but getPet and lists show available.',
      describingOmitted((members) => without(members, 'status'), ['createPet'])],
    'omitted-status-sold-in-getpet': [
      'Where the status is omitted, getPet shows sold, but the 201 and lists show available.',
      describingOmitted(withStatus('sold'), ['getPet'])],
    'omitted-status-not-found-by-filter': [
      'Where the status is omitted, every response shows available, but `status=available` leaves the animal out.',
      (steps) => {
        const omitted = new Set<bigint>();
        return combine(
          notingOmitted(omitted),
          listingOnly(({ id }, call) => !hasStatus(call) || !omitted.has(id)),
        )(steps);
      }],
    'page-kept-where-the-status-is-omitted': [
      'A filtered page without `limit` is kept until an animal is added with its status in the body; one that takes it does not count.',
      (steps) => {
        const kept = new Map<string, ApiResponse>();
        return combine(
          override('validateNewPet', (original) => (body, call) => {
            const pet = original(body, call);
            if (has(body, 'status')) kept.delete(pet.status ?? '');
            return pet;
          }),
          override('listPets', (original) => async (call) => {
            const status = call.query.get('status') ?? '';
            if (!isPetStatus(status) || hasLimit(call)) return original(call);
            const response = kept.get(status) ?? (await original(call));
            kept.set(status, response);
            return response;
          }),
        )(steps);
      }],
    'omitted-status-changes-after-a-second': ['An omitted status is available at first, and pending a second later.',
      whereStatusOmitted((own) => ({
        store: (pet, call) => {
          own.store(pet, call);
          const { pause, collection } = call.service;
          void pause(1000).then(() => collection.add({ ...pet, status: 'pending' }));
        },
      }))],
  }),
];
