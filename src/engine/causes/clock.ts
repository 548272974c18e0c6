/** A moment of the run as a time of day. */
export function clock(moment: number): string {
  return `${new Date(performance.timeOrigin + moment).toISOString().slice(11, 19)} UTC`;
}
