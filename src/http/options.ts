/** A request header that the user adds; its value is treated as a secret. */
export interface ExtraHeader {
  readonly name: string;
  readonly value: string;
}

/** How fast to send: as fast as the service answers, at a rate found by trial, or up to a fixed rate. */
export type RateLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'auto' }
  | { readonly kind: 'fixed'; readonly perSecond: number };
