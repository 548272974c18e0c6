/** A point that the specification leaves open. */
export interface OpenPoint {
  readonly requirement: string;
  /** What a request has, such as "a limit of 0". */
  readonly text: string;
  /** An ordinary client meets it. */
  readonly isOrdinary?: boolean;
}

/** Every point that the specification leaves open, with the requirement that records what a service does there. */
// biome-ignore format: one table
export const POINTS = {
  emptyName: { requirement: 'RES-10', text: 'an empty name', isOrdinary: true },
  longName: { requirement: 'RES-10', text: 'a name of over 1,000 characters' },
  surrogateInName: { requirement: 'RES-10', text: 'a lone surrogate in the name' },
  controlInName: { requirement: 'RES-10', text: 'control characters in the name' },
  unknownMembers: { requirement: 'RES-11', text: 'unknown members', isOrdinary: true },
  clientId: { requirement: 'RES-12', text: 'an id that the client sends', isOrdinary: true },
  minusZero: { requirement: 'RES-13', text: 'zero with a minus sign' },
  exponent: { requirement: 'RES-13', text: 'an integer with an exponent' },
  fractionOfZero: { requirement: 'RES-13', text: 'an integer with a fraction of zero' },
  unknownCategory: { requirement: 'RES-14', text: 'an unknown category', isOrdinary: true },

  limitTwice: { requirement: 'LIST-10', text: 'a limit given twice' },
  malformedLimit: { requirement: 'LIST-10', text: 'a malformed limit' },
  emptyLimit: { requirement: 'LIST-10', text: 'an empty limit', isOrdinary: true },
  limitOfZero: { requirement: 'LIST-10', text: 'a limit of 0', isOrdinary: true },
  limitBelowZero: { requirement: 'LIST-10', text: 'a limit below 0', isOrdinary: true },
  limitTooLarge: { requirement: 'LIST-10', text: 'a limit above 100', isOrdinary: true },
  limitSpelling: { requirement: 'LIST-10', text: 'a limit in another spelling', isOrdinary: true },
  limitNoInteger: { requirement: 'LIST-10', text: 'a limit that is not an integer', isOrdinary: true },
  range: { requirement: 'LIST-12', text: 'a range of bytes' },
  emptyParameter: { requirement: 'LIST-10', text: 'an & with no parameter' },
  statusTwice: { requirement: 'LIST-11', text: 'a status given twice' },
  malformedStatus: { requirement: 'LIST-11', text: 'a malformed status' },
  emptyStatus: { requirement: 'LIST-11', text: 'an empty status', isOrdinary: true },
  statusCase: { requirement: 'LIST-11', text: 'a status in another letter case', isOrdinary: true },
  statusBlanks: { requirement: 'LIST-11', text: 'a status with blanks' },
  statusList: { requirement: 'LIST-11', text: 'a list of statuses', isOrdinary: true },
  unknownStatus: { requirement: 'LIST-11', text: 'an unknown status', isOrdinary: true },

  contentCoding: { requirement: 'CREATE-13', text: 'a content coding' },
  otherFormat: { requirement: 'CREATE-13', text: 'another format' },
  noMediaType: { requirement: 'CREATE-13', text: 'no media type', isOrdinary: true },
  jsonSpelling: { requirement: 'CREATE-13', text: 'application/json in another spelling' },
  otherMediaType: { requirement: 'CREATE-13', text: 'another media type', isOrdinary: true },
  memberTwice: { requirement: 'CREATE-14', text: 'a member given twice' },
  byteOrderMark: { requirement: 'CREATE-17', text: 'a byte order mark' },
  notUtf8: { requirement: 'CREATE-17', text: 'a body that is not UTF-8' },

  idSlash: { requirement: 'GET-5', text: 'an encoded slash or dot segment' },
  idSpelling: { requirement: 'GET-5', text: 'an id in another spelling' },
  idEncoding: { requirement: 'GET-5', text: 'malformed percent-encoding' },
  idBeyondInt64: { requirement: 'GET-5', text: 'an integer beyond int64' },
  idFraction: { requirement: 'GET-5', text: 'a fraction' },
  idNoInteger: { requirement: 'GET-5', text: 'an id that is not an integer' },

  keyBlanks: { requirement: 'AUTH-8', text: 'other blanks around the key' },
  schemeCase: { requirement: 'AUTH-8', text: 'the scheme in another letter case' },
} as const satisfies Record<string, OpenPoint>;

/** What is unusual about a request with these points. */
export const unusualOf = (points: readonly OpenPoint[]): readonly string[] =>
  points.flatMap(({ text, isOrdinary }) => (isOrdinary === true ? [] : [text]));
