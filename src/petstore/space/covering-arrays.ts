import type { RequestSpace } from '../../engine/request-space.ts';
import stored from './covering-arrays.json' with { type: 'json' };

type Arrays = NonNullable<RequestSpace<unknown>['arrays']>;

const STORED: Readonly<Record<string, Arrays>> = stored;

/** The covering arrays of a request space, as `npm run spaces` has stored them; none of a space that is new. */
export const arrays = (space: string): Arrays => STORED[space] ?? {};
