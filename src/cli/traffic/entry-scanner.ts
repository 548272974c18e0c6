const QUOTE = 0x22;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A longer entry is left out, so that memory stays bounded (bytes). */
const LONGEST_ENTRY = 32 * 1024 * 1024;
/** A longer key of an object leads to no entries. */
const LONGEST_KEY = 'entries'.length + 1;
/** How deep the entries stand: in the array `entries` of the object `log`. */
const DEPTH = 3;

/** An entry as it was cut out of an archive. */
export interface CutEntry {
  /** 1-based. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly at: number;
  /** Its JSON; undefined where that is too long. */
  readonly json: Buffer | undefined;
}

/** Cuts the elements of `log.entries` out of the bytes of an HTTP archive, as they come, however long that is. */
export class EntryScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** The string that was read last, outside the entries, and what stands before the containers that are open. */
  #word = '';
  #key = '';
  readonly #path: string[] = [];
  #isInEntries = false;
  /** Bytes before the current chunk. */
  #before = 0;
  /** Of the entry that has begun: where, and its bytes in earlier chunks. */
  #begin: number | undefined;
  #pieces: Buffer[] = [];
  #length = 0;
  #number = 0;
  /** True once the array of entries was found, and once it was read to its end. */
  hasEntries = false;
  isComplete = false;

  /** Where the bytes have ended, in words. */
  get place(): string {
    return `byte ${this.#before}, ${this.#begin === undefined ? `after entry ${this.#number}` : `in entry ${this.#number + 1}`}`;
  }

  *push(chunk: Buffer): Generator<CutEntry> {
    for (let at = 0; at < chunk.length; at += 1) {
      if (this.#isInString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === QUOTE) {
        this.#isInString = true;
        this.#word = '';
      } else if (byte === COLON && this.#depth < DEPTH) this.#key = this.#word;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte, at);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth -= 1;
        if (this.#isInEntries && this.#depth === DEPTH && this.#begin !== undefined) yield this.#cut(chunk, at + 1);
        if (this.#depth < DEPTH) this.#close();
      }
    }
    if (this.#begin !== undefined) this.#keep(chunk.subarray(Math.max(0, this.#begin - this.#before)));
    this.#before += chunk.length;
  }

  /** Goes on to the end of the string, or of the chunk. @returns the place of the last byte that was read */
  #skipString(chunk: Buffer, from: number): number {
    let start = this.#isEscaped ? from + 1 : from;
    this.#isEscaped = false;
    let end = chunk.indexOf(QUOTE, start);
    while (end >= 0 && isEscaped(chunk, start, end)) {
      start = end + 1;
      end = chunk.indexOf(QUOTE, start);
    }
    this.#isInString = end < 0;
    const last = end < 0 ? chunk.length : end;
    if (end < 0) this.#isEscaped = isEscaped(chunk, start, last);
    if (this.#depth < DEPTH) this.#word += chunk.toString('latin1', from, Math.min(last, from + LONGEST_KEY));
    return last;
  }

  #open(byte: number, at: number): void {
    if (this.#isInEntries && this.#depth === DEPTH) this.#begin = this.#before + at;
    if (this.#depth < DEPTH) this.#path.push(this.#key);
    this.#depth += 1;
    if (this.#depth !== DEPTH || byte !== OPEN_ARRAY || this.#path.slice(1).join('.') !== 'log.entries') return;
    this.#isInEntries = true;
    this.hasEntries = true;
  }

  #close(): void {
    this.#path.length = Math.max(0, this.#depth);
    if (this.#isInEntries) this.isComplete = true;
    this.#isInEntries = false;
  }

  #cut(chunk: Buffer, end: number): CutEntry {
    const at = this.#begin ?? 0;
    this.#keep(chunk.subarray(Math.max(0, at - this.#before), end));
    const json = this.#length > LONGEST_ENTRY ? undefined : Buffer.concat(this.#pieces);
    this.#number += 1;
    this.#begin = undefined;
    this.#pieces = [];
    this.#length = 0;
    return { number: this.#number, at, json };
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= LONGEST_ENTRY) this.#pieces.push(piece);
    else this.#pieces = [];
  }
}

/** Whether what stands at a place is escaped: an odd number of backslashes stands before it. */
function isEscaped(chunk: Buffer, start: number, place: number): boolean {
  let first = place;
  while (first > start && chunk[first - 1] === BACKSLASH) first -= 1;
  return (place - first) % 2 === 1;
}
