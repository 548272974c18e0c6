import { InconclusiveError } from '../engine/outcome-errors.ts';

/** What kept a request from being sent is for the checks to say that need it. */
export function unlessInconclusive(error: unknown): void {
  if (!(error instanceof InconclusiveError)) throw error;
}

/** What must create is left out where nothing may be created. */
export async function whereWritable(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof InconclusiveError) || !['read-only', 'budget'].includes(error.code)) throw error;
  }
}
