import { membersOf, type NewPet } from './body.ts';

/** The members of an object as they are written: names and values as JSON text, in their order. */
export type Members = readonly (readonly [name: string, value: string])[];

/** What a member's name says, however it is written. */
export const nameIn = (json: string): string => `${JSON.parse(json)}`;

/** The members of the body that adds `pet`, in the usual order. */
export function writtenMembers(pet: NewPet): Members {
  return Object.entries(membersOf(pet)).flatMap(([name, value]) =>
    value === undefined ? [] : [[JSON.stringify(name), value] as const],
  );
}

/** The members with commas between them. */
export const inside = (members: Members): string => members.map(([name, value]) => `${name}:${value}`).join(',');

export const objectOf = (members: Members): string => `{${inside(members)}}`;

/** With another value, given as JSON text, for one member; it is added where it is missing. */
export function withValue(members: Members, member: string, json: string): Members {
  if (!members.some(([name]) => nameIn(name) === member)) return [...members, [JSON.stringify(member), json]];
  return members.map(([name, value]) => (nameIn(name) === member ? [name, json] : [name, value]));
}

/** Without some of the members. */
export function without(members: Members, ...dropped: readonly string[]): Members {
  return members.filter(([name]) => !dropped.includes(nameIn(name)));
}

/** With a member under another name, given as JSON text. */
export function withName(members: Members, member: string, json: string): Members {
  return members.map(([name, value]) => [nameIn(name) === member ? json : name, value]);
}

/** The value of a member as JSON text; an empty one where it is missing. */
export function valueIn(members: Members, member: string): string {
  return members.find(([name]) => nameIn(name) === member)?.[1] ?? '';
}
