import type { Profile } from '../../report/model/result.ts';

/** What the suite finds in the first version of a service. The notes on it stand in `.github/FIELD-NOTES.md`. */
export interface Found {
  /** How its chapter of the field notes is called. */
  readonly title: string;
  readonly profile: Profile;
  /** Further options: a service that keeps nothing takes more animals than a run may usually add. */
  readonly options?: readonly string[];
  /** The requirements that are violated: these and no others. */
  readonly violated: readonly string[];
  /** The first cause that is printed, but for how often it was seen; of a single failure, its heading. */
  readonly firstCause: RegExp;
}

export const EXPRESS: Found = {
  title: 'Express with express-openapi-validator',
  profile: 'standard',
  violated: ['CREATE-6', 'GET-5', 'LIM-2', 'LIST-10', 'RES-11', 'RES-13', 'RES-14', 'RES-3', 'RES-7'],
  firstCause:
    /createPet answers 201 where 400 is right \(.*\), for example to createPet with .*: 8 requirements\n +CREATE-6, RES-3,/,
};

export const FASTIFY: Found = {
  title: 'Fastify with SQLite',
  profile: 'standard',
  // It adds what it must refuse: with fewer, it is chance what is still sent.
  options: ['--max-creates', '1000'],
  violated: [
    'CREATE-5', 'CREATE-6', 'CREATE-7', 'ERR-1', 'GET-5', 'RES-1', 'RES-10', 'RES-11', 'RES-13', 'RES-14', 'RES-3', 'RES-6', 'RES-7',
    'SERV-4',
  ], // biome-ignore format: one list
  firstCause:
    /createPet answers 201 where 400 is right \(.*\), for example to createPet with .*: 11 requirements\n +CREATE-[56], CREATE-[56],/,
};

export const MOCK: Found = {
  title: 'A mock server made of the contract',
  profile: 'standard',
  options: ['--max-creates', '1000'],
  violated: [
    'CREATE-1', 'CREATE-10', 'CREATE-11', 'CREATE-12', 'CREATE-13', 'CREATE-14', 'CREATE-6', 'ERR-1', 'GET-2', 'GET-3', 'GET-5', 'LIST-10',
    'LIST-6', 'LIST-9', 'RES-10', 'RES-11', 'RES-12', 'RES-13', 'RES-14', 'RES-5', 'RES-6', 'RES-7', 'RES-8', 'SERV-1', 'SERV-2', 'SERV-4',
  ], // biome-ignore format: one list
  firstCause: /createPet gives another name and categoryId than was sent \(.*\): 15 requirements/,
};

export const NGINX: Found = {
  title: 'nginx before a service',
  profile: 'standard',
  violated: ['SERV-4'],
  firstCause: /^ {2}1\. answers 503 to .*: SERV-4|^✗ SERV-4 /,
};
