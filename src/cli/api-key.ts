import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';
import { readFileOf } from './readable-file.ts';

/** The variable that holds the key where no option gives it. */
export const KEY_VARIABLE = 'PETSTORE_API_KEY';

export interface KeyOptions {
  readonly token?: string;
  readonly tokenEnv?: string;
  readonly tokenFile?: string;
}

/**
 * The API key (part 5 of the specification) that an option gives; undefined where none does.
 * No message ever repeats it.
 * @throws UsageError
 */
export function keyFromOptions(options: KeyOptions, environment: Environment): string | undefined {
  const given = [
    options.token === undefined ? [] : ['--token'],
    options.tokenEnv === undefined ? [] : ['--token-env'],
    options.tokenFile === undefined ? [] : ['--token-file'],
  ].flat();
  if (given.length > 1) {
    throw new UsageError(
      'option-conflict',
      `${given.join(' and ')}: only one of them can give the key; leave out the others`,
    );
  }
  if (options.token !== undefined) return checkedKey('--token', options.token);
  if (options.tokenEnv !== undefined) {
    // Where the key itself was given for a name, it must not be repeated: only what looks like a name is.
    const name = /^[A-Z][A-Z0-9_]{0,40}$/.test(options.tokenEnv) ? ` ${options.tokenEnv}` : '';
    const value = environment[options.tokenEnv];
    if (value === undefined || value === '') {
      throw new UsageError(
        'value-invalid',
        `--token-env: the environment has no variable${name || ' of that name'}; set it, and give its name, not the key`,
      );
    }
    return checkedKey('--token-env', value);
  }
  if (options.tokenFile !== undefined) {
    return checkedKey(
      '--token-file',
      readFileOf('--token-file', options.tokenFile, 'the file').replace(/(\r?\n)+$/, ''),
    );
  }
  return undefined;
}

/** The API key of the environment; undefined where it has none. @throws UsageError */
export function keyFromEnvironment(environment: Environment): string | undefined {
  const value = environment[KEY_VARIABLE];
  return value === undefined || value === '' ? undefined : checkedKey(KEY_VARIABLE, value);
}

/** Refuses what a header cannot carry after `Bearer `. */
function checkedKey(source: string, key: string): string {
  const wrong = (what: string): UsageError => new UsageError('value-invalid', `${source}: ${what}`);
  if (key === '') throw wrong('the key is empty');
  if (/^Bearer\s/i.test(key)) throw wrong('give the key alone, without "Bearer"');
  if (/[\s\p{Cc}]/u.test(key))
    throw wrong('the key holds a space, a line break or a control character, which no header can carry');
  if (!/^[\x21-\xff]+$/.test(key)) throw wrong('the key holds a letter outside Latin-1, which no header can carry');
  return key;
}
