/** A process with nothing but the client: sends requests and reports their outcomes and its peak memory. */
import { LIST, testClient } from './rig.fixture.ts';

const [baseUrl = '', requests = '0', concurrency = '1'] = process.argv.slice(2);
const client = testClient(baseUrl, { concurrency: Number(concurrency), requestTimeoutMs: 600_000, neverGivesUp: true });
const codes = await Promise.all(
  Array.from({ length: Number(requests) }, async () => {
    const { answer } = await client.send(LIST);
    return answer.kind === 'response' ? `${answer.status}` : answer.code;
  }),
);
await client.close();
// In kilobytes.
process.send?.({ codes, peakMebibytes: process.resourceUsage().maxRSS / 1024 }, () => process.disconnect());
