import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from './package.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);

/** The product's own source files below a folder: no tests, and nothing that only tests use. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file));
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Import {
  readonly file: string;
  readonly imported: string;
}

/** What the files of a folder import, as they write it; type imports and dynamic ones too. */
function specifiersOf(folder: string): readonly Import[] {
  return sources(folder).flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:from|import)\b\s*\(?\s*'([^']*)'/g)].map(([, imported = '']) => ({
      file,
      imported,
    })),
  );
}

/** What the files of a folder import by a path of this package. */
function importsOf(folder: string): readonly Import[] {
  return specifiersOf(folder)
    .filter(({ imported }) => imported.startsWith('.'))
    .map(({ file, imported }) => ({ file, imported: relative(ROOT, join(ROOT, dirname(file), imported)) }));
}

/** Knows where the package is; everybody may import it. */
const PACKAGE = join('src', 'package.ts');

/** Which folders the files of each folder may import, beside the folder itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'src/report': [],
  'src/http': ['src/report/model'],
  'src/contract': ['src/report/model'],
  'src/engine': ['src/http', 'src/contract', 'src/report/model'],
  'src/petstore': ['src/engine', 'src/http', 'src/contract', 'src/report/model'],
  suites: ['src/petstore'],
};

describe('imports point one way', () => {
  test.each(Object.entries(ALLOWED))('%s', (folder, allowed) => {
    const imports = importsOf(folder);
    expect(imports.length).toBeGreaterThan(0);
    const within = [folder, ...allowed].map((path) => `${path}/`);
    const wrong = imports.filter(
      ({ imported }) => imported !== PACKAGE && !within.some((path) => imported.startsWith(path)),
    );
    expect(wrong).toEqual([]);
  });

  test('a check says all with the words of the service, and imports no package', () => {
    const specifiers = specifiersOf('suites');
    expect(specifiers.length).toBeGreaterThan(10);
    expect(specifiers.filter(({ imported }) => !imported.startsWith('.'))).toEqual([]);
  });

  test('the reference service knows nothing of the checks that judge it', () => {
    const wrong = importsOf('src/reference').filter(({ imported }) =>
      /^(suites|src\/(engine|http|cli|report|quality|petstore\/(?!contract-facts)))/.test(imported),
    );
    expect(wrong).toEqual([]);
  });

  test('of the command line, nobody but the judges of the suite itself knows', () => {
    const folders = ['src/report', 'src/http', 'src/contract', 'src/engine', 'src/petstore', 'src/reference', 'suites'];
    const wrong = folders.flatMap(importsOf).filter(({ imported }) => imported.startsWith('src/cli/'));
    expect(wrong).toEqual([]);
  });
});

/** Words of the service. The name of the program stands in the one constant that names the format of results. */
const WORDS = /\bpets?\b|animal|listPets|createPet|getPet|categoryId|pet ?store/i;
const FORMAT = "export const RESULT_FORMAT = 'petstore-conformance/1';";

describe('what knows nothing of the service does not speak of it', () => {
  test.each(['src/engine', 'src/http', 'src/contract', 'src/report'])('%s', (folder) => {
    const found = sources(folder).flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => line !== FORMAT && WORDS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});

test('bounds and statuses of the service are read from its contract', () => {
  // The type of the statuses is the one repetition: loading the contract fails where the two differ.
  const files = [...sources('src/petstore'), ...sources('suites')].filter(
    (file) => file !== join('src/petstore', 'contract-facts.ts'),
  );
  const repeating = files.filter((file) => /'available',\s*'pending',\s*'sold'|\bmaximum: 100\b/.test(textOf(file)));
  expect(repeating).toEqual([]);
});

test('the examples for contributors are parts of the sources', () => {
  const bare = (text: string): string => text.replace(/\s+/g, '').replace(/,(?=[)\]}])/g, '');
  const all = ['src', 'suites'].flatMap(sources).map((file) => bare(textOf(file)));
  const examples = [...textOf('.github/CONTRIBUTING.md').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  expect(examples).toHaveLength(3);
  const invented = examples.filter((example) => !all.some((text) => text.includes(bare(example).replace(/,$/, ''))));
  expect(invented).toEqual([]);
});

test('every link of the documentation leads to a file, and to a heading of it', () => {
  const pages = ['README.md', '.github/CONTRIBUTING.md', '.github/FIELD-NOTES.md', 'reports/README.md'];
  const all = [...pages, ...readdirSync(join(ROOT, '.github/docs')).map((file) => join('.github/docs', file))];
  const anchorsOf = (page: string): readonly string[] =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
  const broken = all.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== '' && !anchorsOf(target).includes(anchor);
    }),
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});
