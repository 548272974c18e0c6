// Lets Node import the TypeScript sources of this package as they stand.
import * as nodeModule from 'node:module';

// Stacks that name the lines of the sources cost time with every module: only where stacks are shown.
const stacksShown = Boolean(process.env.DEBUG) || process.argv.some((argument) => /^(--verbose|-v)$/.test(argument));
if (stacksShown) process.setSourceMapsEnabled(true);

if ('registerHooks' in nodeModule) {
  const { initialize, load } = await import('./typescript-hooks.mjs');
  initialize({ sourcemap: stacksShown });
  nodeModule.registerHooks({ load });
} else {
  // Node 20. Later ones call it deprecated.
  nodeModule.register('./typescript-hooks.mjs', import.meta.url, { data: { sourcemap: stacksShown } });
}
