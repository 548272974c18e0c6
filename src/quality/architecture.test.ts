import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../package.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);

/** The source files below a folder, without tests and fixtures. */
function sources(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file));
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const linesOf = (file: string): number => textOf(file).split('\n').length - 1;

interface Import {
  readonly file: string;
  readonly imported: string;
}

/** What the files of a folder import from this package, including type imports and dynamic imports. */
function importsOf(folder: string): readonly Import[] {
  return sources(folder).flatMap((file) =>
    [...textOf(file).matchAll(/\b(?:from|import)\b\s*\(?\s*'(\.[^']*)'/g)].map(([, imported = '']) => ({
      file,
      imported: relative(ROOT, join(ROOT, dirname(file), imported)),
    })),
  );
}

/** The rooms in the order of imports: each imports only from itself and from rooms before it. */
const ROOMS = [
  'text',
  'contract',
  'http',
  'reading',
  'inputs',
  'known',
  'check',
  'suites',
  'run',
  'result',
  'report',
  'cli',
  'quality',
] as const;

/** The place of a file's room; -1 for `package.ts`, which all may import, and for the reference service. */
const roomOf = (file: string): number => {
  const name = /^(?:src\/)?([^/.]+)/.exec(file)?.[1];
  return ROOMS.map(String).indexOf(name ?? '');
};

describe('imports point one way', () => {
  test.each(ROOMS.slice(1))('from %s to what stands before it', (room) => {
    const imports = importsOf(room === 'suites' ? room : `src/${room}`);
    expect(imports.length).toBeGreaterThan(0);
    const own = roomOf(`src/${room}`);
    expect(imports.filter(({ imported }) => roomOf(imported) > own)).toEqual([]);
  });

  test('the reference service knows nothing of what tests it', () => {
    const wrong = importsOf('src/reference').filter(({ imported }) => roomOf(imported) > 1);
    expect(wrong).toEqual([]);
  });

  test('only programs start the reference service', () => {
    const others = ROOMS.slice(1, -2).flatMap((room) => importsOf(room === 'suites' ? room : `src/${room}`));
    expect(others.filter(({ imported }) => imported.startsWith('src/reference'))).toEqual([]);
  });

  test('each name is imported by itself, and only suites/index.ts gathers what others export', () => {
    const all = ['src', 'suites'].flatMap(sources);
    expect(all.filter((file) => /^import \* as \w+ from '\./m.test(textOf(file)))).toEqual([]);
    expect(all.filter((file) => /^export \* from/m.test(textOf(file)))).toEqual([]);
  });

  test('nothing stands loose but what all rooms need', () => {
    const loose = readdirSync(join(ROOT, 'src')).filter((name) => name.endsWith('.ts'));
    expect(loose).toEqual(['package.ts', 'text.ts']);
  });
});

/** Words of the service. The name of the program is excepted. */
const WORDS = /\bpets?\b|animal|listPets|createPet|getPet|categoryId|pet ?store/i;

describe('what knows nothing of the service does not speak of it', () => {
  test.each(['src/http'])('%s', (folder) => {
    const found = sources(folder).flatMap((file) =>
      textOf(file)
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        .split('\n')
        .filter((line) => WORDS.test(line) && !/petstore-conformance|petstore_/i.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});

/** The most lines of code that users run, raised only by a commit of its own that says why. Tables in `inputs/` are data. */
const MOST_LINES = 17_900;

describe('the house stays small', () => {
  test(`what users run has at most ${MOST_LINES} lines`, () => {
    const isBeside = (file: string): boolean =>
      /\/inputs\/|^src\/quality\/|^src\/reference\/(faults|variants)\/|\/html\/(style|script)\.ts$/.test(file);
    const files = ['src', 'suites'].flatMap(sources).filter((file) => !isBeside(file));
    expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST_LINES);
  });

  test('no file is long, tables aside', () => {
    const all = ['src', 'suites'].flatMap(sources);
    const long = all.filter((file) => !/\/(inputs|faults|variants)\//.test(file) && linesOf(file) > 300);
    expect(long).toEqual([]);
  });

  test('a suite imports few names', () => {
    const names = sources('suites').map((file) => {
      const imported = [...textOf(file).matchAll(/import (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
        list.split(',').filter((name) => name.trim() !== ''),
      );
      return [file, imported.length] as const;
    });
    expect(names.filter(([, count]) => count > 22)).toEqual([]);
  });
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
