/** A test file for vitest: one check, and a soak in which the suite itself fails. Its test is failing-soak.integration. */
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import type { Plan } from '../../engine/plan.ts';
import { petStore } from '../../petstore/definition.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { openSession } from './open-session.ts';
import { registerChecks } from './register-checks.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    plan: Plan;
  }
}

const plan = inject('plan');
const service = petStore();

registerChecks(
  {
    title: 'failing soak',
    checks: CHECKS.filter(({ id }) => plan.checks.includes(id)),
    open: () =>
      openSession(
        {
          ...service,
          open: (parts) => ({
            ...service.open(parts),
            workload: () => {
              throw new Error(`no load can be made with ${plan.token}`);
            },
          }),
        },
        plan,
        {},
      ),
    hasSoak: plan.soakMs !== undefined,
    redact: createRedactor([plan.token]),
    keepResults: false,
  },
  { afterAll, beforeAll, describe, test },
);
