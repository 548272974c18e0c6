/** Where the specification leaves open what is right: the row that says so, and what is open, in fixed words. */
export interface OpenPoint {
  readonly requirement: string;
  readonly point: string;
}

/** What is read of a part of a request: the query, the id or the body. */
export interface PartReading {
  readonly kind: 'valid' | 'invalid' | 'open';
  readonly requirement: string;
  readonly points: readonly OpenPoint[];
  readonly unusual: readonly string[];
  /** Why what stands before the service may refuse it. */
  readonly gateway?: string | undefined;
}
