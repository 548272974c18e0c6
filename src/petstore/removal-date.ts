/** The day on which getPet is announced to be removed (parts 4.3 and 9). */
const REMOVAL_DATE = '2030-12-05';

/** @param today a date as `YYYY-MM-DD`, which sorts as the calendar does */
export function removalDateHasCome(today: string): boolean {
  return today >= REMOVAL_DATE;
}
