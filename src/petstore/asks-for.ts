import { type Call, filterOf, limitOf } from './call.ts';

interface Shape {
  readonly limit?: 'none' | 'sound';
  readonly status?: 'none' | 'sound';
}

/**
 * Tells list calls by their parameters: absent (`none`), or present with a value that must be honoured (`sound`).
 * A parameter that the shape does not name may be either, but not an odd value.
 */
export function asksFor({ limit, status }: Shape): (call: Call) => boolean {
  return (call) => {
    if (call.operation !== 'listPets') return false;
    const filter = filterOf(call);
    if (filter === 'odd' || limitOf(call) === undefined) return false;
    const limitFits = limit === undefined || (limit === 'none') === (call.limit === undefined);
    const statusFits = status === undefined || (status === 'none') === (filter === 'none');
    return limitFits && statusFits;
  };
}
