/** What runs the checks: loaded while the target is looked at. */
export { runChecks } from '../../engine/run-checks.ts';
export { petStore } from '../../petstore/definition.ts';
export { openSession } from './open-session.ts';
export { runReplay } from './replay-run.ts';
