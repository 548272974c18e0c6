import type { Exchange } from '../http/exchange.ts';

/** A rule that a reply breaks: a stable code, and what is wrong in words. */
export interface Breach {
  readonly code: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** An earlier exchange that this one contradicts. */
  readonly against?: Exchange;
}

/** What a rule says of one reply: nothing (it is not about such a reply), that it holds, or how it is broken. */
export type Judgement = 'silent' | 'holds' | Breach;

/** Text from a service, short enough for a sentence. */
export function brief(text: string, longest = 80): string {
  const shown = JSON.stringify(text) ?? '';
  return shown.length <= longest ? shown : `${shown.slice(0, longest)}… (${text.length} characters)`;
}
