/** What a check has sent, and how much of it was not answered, as the service locks wrong keys out. */
interface Counts {
  readonly requirement: string;
  readonly requests: number;
  readonly lockedOut: number;
}

/** How much was answered of what checks sent without the right key, where a service locks such keys out. */
export function lockoutRemark(checks: readonly Counts[]): readonly string[] {
  const lockedOut = checks.filter((check) => check.lockedOut > 0);
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const figures = [...new Set(lockedOut.map(({ requirement }) => requirement))].map((id) => {
    const own = lockedOut.filter(({ requirement }) => requirement === id);
    const requests = sum(own.map((check) => check.requests));
    return `${requests - sum(own.map((check) => check.lockedOut))} of ${requests} for ${id}`;
  });
  if (figures.length === 0) return [];
  const refused = 'The service answers further requests without the right key with 429, and the right key as before.';
  return [`${refused} Requests that were answered: ${figures.join(', ')}.`];
}
