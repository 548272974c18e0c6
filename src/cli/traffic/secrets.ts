import { createRedactor } from '../../report/redact/redact.ts';

type Redact = (text: string) => string;

/** One search for many secrets at once takes far longer than several for a few each. */
const AT_ONCE = 10;

/** What removes any number of secrets from a text, of which `sample` holds every secret that is to be removed. */
export function redactorFor(secrets: Iterable<string>, sample: string): Redact {
  const all = [...secrets];
  const groups = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) => {
    return createRedactor(all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
  });
  const needed = groups.filter((redact) => redact(sample) !== sample);
  return (text) => needed.reduce((left, redact) => redact(left), text);
}
