import { membersOf, type NewPet, objectText } from './new-pet.ts';

/** What a request to add an animal carries: the bytes, and what they mean by construction. */
export type Body =
  | {
      /** Valid as sent: it must be accepted. `owner` is the requirement that says so. */
      readonly kind: 'sound';
      readonly label: string;
      readonly bytes: Uint8Array;
      readonly contentType: string;
      readonly pet: NewPet;
      readonly owner: string;
    }
  | {
      /** Invalid as sent, by exactly one named defect: it must be refused with 400. */
      readonly kind: 'broken';
      readonly label: string;
      readonly bytes: Uint8Array | undefined;
      readonly contentType: string | undefined;
      readonly defect: string;
      /** What the suite must find when it reads the bytes again: no JSON, or JSON that is no NewPet. */
      readonly fails: 'syntax' | 'schema';
      readonly traces: Traces;
    }
  | {
      /** Neither: the specification leaves open what becomes of it. */
      readonly kind: 'open';
      readonly label: string;
      readonly bytes: Uint8Array;
      readonly contentType: string | undefined;
      /** What an animal that is made of it must hold, where that is certain. */
      readonly pet: Partial<NewPet>;
    };

export type SoundBody = Extract<Body, { kind: 'sound' }>;
export type BrokenBody = Extract<Body, { kind: 'broken' }>;
export type OpenBody = Extract<Body, { kind: 'open' }>;

/** How an animal that should not exist could be told, if a service made one after all. */
export interface Traces {
  readonly name?: string;
  /** Only where no other body of the run names the same category. */
  readonly categoryId?: bigint;
}

export const JSON_TYPE = 'application/json';

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A valid body, written plainly. */
export function soundBody(pet: NewPet, owner = 'CREATE-1', label = 'a valid body'): SoundBody {
  return writtenAs(objectText(membersOf(pet)), pet, owner, label);
}

/** A valid body in a written form of the caller's. */
export function writtenAs(text: string, pet: NewPet, owner: string, label: string, contentType = JSON_TYPE): SoundBody {
  return { kind: 'sound', label, bytes: bytesOf(text), contentType, pet, owner };
}
