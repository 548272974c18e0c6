import type { Address } from '../http/connect/route.ts';
import { evidenceOf } from '../http/evidence/evidence.ts';
import { trimExchange } from '../http/evidence/trim.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';

/** Most characters of exchanges, as JSON, that are kept for an HTTP archive: writing it takes many times as much. */
const KEPT = 6_000_000;

/** The exchanges of a run, as far as an HTTP archive has room for them. */
export class Traffic {
  readonly exchanges: ExchangeEvidence[] = [];
  readonly #address: Address;
  #size = 0;

  constructor(address: Address) {
    this.#address = address;
  }

  record(exchange: Exchange): void {
    if (this.#isFull) return;
    const evidence = evidenceOf(trimExchange(exchange), 'context', this.#address);
    this.#size += JSON.stringify(evidence).length;
    this.exchanges.push(evidence);
  }

  get #isFull(): boolean {
    return this.#size >= KEPT;
  }

  /** What a reader of the archive must know: that it does not hold everything. */
  get remarks(): readonly string[] {
    if (!this.#isFull) return [];
    const shown = this.exchanges.length.toLocaleString('en-GB');
    return [`traffic.har was full after ${shown} exchanges; it holds those and every proof.`];
  }
}
