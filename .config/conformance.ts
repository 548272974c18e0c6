/** The requirements as tests, against the reference service: `npx vitest --config .config/vitest.config.ts --project conformance`. */
import { petStoreConformance } from '../src/cli/api/vitest.ts';
import { startReference } from '../src/reference/index.ts';

const TOKEN = 'Reference-key-of-the-project-7f31c9';

petStoreConformance({
  token: TOKEN,
  baseUrl: async () => {
    const { baseUrl } = await startReference({ token: TOKEN });
    return baseUrl;
  },
});
