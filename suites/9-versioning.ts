// Part 9 · Versioning
import { breach, check, creating } from '../src/petstore/index.ts';
import { lackingMembers } from '../src/petstore/inputs/defects.ts';

/** A status that says the operation is not here: not found, not known, or moved to another address. */
function isElsewhere(status: number | undefined): boolean {
  return status !== undefined && ((status >= 300 && status < 400) || [404, 405, 501].includes(status));
}

export const versioning = [
  check('VERS-1', 'all operations are found under the base address, which ends in /v1', async (context) => {
    const { service } = context;
    const replies = [await service.tryList({}), await service.tryGet(await context.anAnimal())];
    const missing = replies.find(({ status }) => isElsewhere(status));
    if (missing !== undefined && !context.getPetMayBeGone) {
      const fault = breach(
        'not-found',
        `${missing.call.operation} is not found under ${service.basePath}`,
        'the operation',
        `${missing.status}`,
      );
      context.broken(fault, missing.exchange);
    }
    await service.list();
  }),

  check('VERS-1.createPet', 'createPet is found under the base address', async (context) => {
    const { service } = context;
    for (const body of lackingMembers(context.aPet()).slice(0, 1)) {
      const reply = await service.send(creating(body, service.right));
      if (isElsewhere(reply.status)) {
        context.broken(
          breach('not-found', `createPet is not found under ${service.basePath}`, 'the operation', `${reply.status}`),
          reply.exchange,
        );
      }
    }
  }),

  check('VERS-3', 'getPet works although it is deprecated, until 5 December 2030', async (context) => {
    if (context.getPetMayBeGone) context.notApplicable('the removal date, 5 December 2030, has come');
    const reply = await context.service.tryGet(await context.anAnimal());
    if (reply.status === 404 || reply.status === 410) {
      context.broken(
        breach('removed-early', `getPet answers ${reply.status} before its removal date`, '200', `${reply.status}`),
        reply.exchange,
      );
    }
    await context.service.get(await context.anAnimal());
  }),

  check('VERS-4', 'from 5 December 2030, getPet works as before or answers 404 or 410', async (context) => {
    if (!context.getPetMayBeGone)
      context.notApplicable('it applies on and after 5 December 2030 (--today sets the date)');
    const reply = await context.service.tryGet(await context.anAnimal());
    context.permits(reply, { 200: 'still answers getPet', 404: 'answers 404 to getPet', 410: 'answers 410 to getPet' });
  }),

  check('VERS-5', 'whether getPet announces its deprecation in headers is recorded', async (context) => {
    const reply = await context.service.tryGet(await context.anAnimal());
    const headers = ['Deprecation', 'Sunset'].filter((name) => reply.header(name) !== undefined);
    context.observe(
      headers.length === 0 ? 'sends no Deprecation or Sunset header' : `sends ${headers.join(' and ')} with getPet`,
    );
  }),
];
