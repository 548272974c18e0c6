import { KEY_FORMS } from '../../reading/key-forms.ts';
import { didYouMean, invalid, UsageError } from '../errors.ts';
import { requiredKey } from '../options/run-settings.ts';
import { KEY_OPTIONS } from '../options/tables.ts';
import { command } from './command.ts';

/** Prints a credential that a curl line names: the API key in another form, byte by byte and without a line end. */
export const keyCommand = command({
  name: 'key',
  summary: 'print the credential that a curl line refers to (secret)',
  args: [['<name>', 'as in the curl line, such as without-last']],
  options: KEY_OPTIONS,
  perform: (values, [name = ''], { environment, stdout, secrets }) => {
    const key = requiredKey('`key`', values, environment);
    secrets.push(key);
    const form = Object.hasOwn(KEY_FORMS, name) ? KEY_FORMS[name] : undefined;
    if (form === undefined) {
      // The name is not repeated, as it may be the key.
      const what = `there is no credential of that name${didYouMean(name, Object.keys(KEY_FORMS))}`;
      throw new UsageError('name-unknown', `key: ${what} (copy the name from a curl line)`);
    }
    const written = form(key);
    if (written === undefined) throw invalid('key', 'this API key has no such form; use the key of that run');
    stdout.write(Buffer.from(written, /[^\u0000-\u00ff]/.test(written) ? 'utf8' : 'latin1'));
    return 0;
  },
});
