/** What must hold of an answer: a rule for each requirement that is about answers. */

export * from './animals.ts';
export * from './bodies.ts';
export * from './pages.ts';
export * from './responses.ts';
export * from './statuses.ts';
