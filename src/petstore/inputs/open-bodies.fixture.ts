import type { NewPet, OpenBody } from './body.ts';
import {
  clientIds,
  duplicateMembers,
  garbage,
  largeUnknownMembers,
  longNames,
  openNames,
  otherEncodings,
  otherMediaTypes,
  unknownMembers,
  unusualIntegers,
} from './open-bodies.ts';

/** Every body that the specification leaves open, each made of this pet. */
export function everyOpenBody(pet: NewPet): readonly OpenBody[] {
  const bases = () => pet;
  return [
    ...otherMediaTypes(bases),
    ...garbage(bases),
    ...otherEncodings(bases),
    ...openNames(bases),
    ...unknownMembers(bases, 7n),
    ...largeUnknownMembers(bases),
    ...longNames(bases),
    ...clientIds(bases, 7n),
    ...duplicateMembers(bases),
    ...unusualIntegers(bases, [], []),
  ];
}
