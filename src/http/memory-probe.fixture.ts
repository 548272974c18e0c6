/** A process with nothing in it but the client: sends requests, and tells what became of them and of the memory. */
import { LIST, testClient } from './rig.fixture.ts';

const [baseUrl = '', requests = '0', concurrency = '1'] = process.argv.slice(2);
const client = testClient(baseUrl, { concurrency: Number(concurrency), requestTimeoutMs: 30_000, neverGivesUp: true });
const codes = await Promise.all(
  Array.from({ length: Number(requests) }, async () => {
    const { answer } = await client.send(LIST);
    return answer.kind === 'response' ? `${answer.status}` : answer.code;
  }),
);
await client.close();
// In kilobytes.
process.send?.({ codes, peakMebibytes: process.resourceUsage().maxRSS / 1024 }, () => process.disconnect());
