import { askedIn } from '../../petstore/recorded-call.ts';
import { RecordedKeys } from '../../petstore/recorded-keys.ts';
import { count } from '../../report/model/text.ts';
import { UsageError } from '../errors.ts';
import { exchangesIn } from './har-file.ts';
import { beginTraffic, type TrafficOptions } from './traffic-run.ts';

interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Judges recorded traffic. Every file is read twice: which keys are right is known only at its end.
 *
 * @returns the exit code of the verdict
 * @throws UsageError where a file cannot be read or written, or it is not clear which address is meant
 */
export async function judgeFiles(
  files: readonly string[],
  options: TrafficOptions,
  { stdout, stderr }: Streams,
): Promise<number> {
  const keys = new RecordedKeys();
  const addresses = new Map<string, number>();
  const damage: string[] = [];
  for (const file of files) {
    for await (const recorded of exchangesIn(file, (line) => damage.push(line))) {
      const asked = askedIn(recorded);
      keys.learn(recorded, asked);
      if (asked !== undefined) addresses.set(asked.baseUrl, (addresses.get(asked.baseUrl) ?? 0) + 1);
    }
  }
  for (const line of damage) stderr.write(`${line}\n`);
  const baseUrl = addressMeant(options.run.baseUrl, addresses);
  const run = await beginTraffic(options, baseUrl, keys);
  let others = 0;
  for (const file of files) {
    for await (const recorded of exchangesIn(file, () => {})) {
      const asked = askedIn(recorded);
      if (asked?.baseUrl === baseUrl) run.judge(recorded, asked);
      else others += 1;
    }
  }
  const note = `Left out, as other addresses or operations, or as they say nothing: ${count(others, 'recorded request')}.`;
  return run.end([...damage, ...(others === 0 ? [] : [note])], stdout);
}

/** @throws UsageError where the traffic shows no address, or several */
function addressMeant(given: string | undefined, addresses: ReadonlyMap<string, number>): string {
  if (given !== undefined) return given.replace(/\/+$/, '');
  const [first, ...others] = [...addresses.keys()];
  if (first !== undefined && others.length === 0) return first;
  const message =
    first === undefined
      ? 'judge: no request in the traffic is one of the operations of the service'
      : `--base-url: several addresses may be meant; name one of ${[...addresses].map(([url, times]) => `${url} (${count(times, 'request')})`).join(', ')}`;
  throw new UsageError('address-unclear', message);
}
