// The entry of a worker process of the matrix: loads the TypeScript sources once, then takes one job after another.
import '../../cli/typescript.mjs';

await import('./worker.ts');
