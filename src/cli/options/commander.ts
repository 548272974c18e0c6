/** Options as commander knows them. */
import { Option, type Command as Parser } from 'commander';
import { UsageError } from '../errors.ts';
import { type Declared, longFlag, type Options, usageOf } from './option.ts';

/** An option as commander knows it, with its declaration. */
export class DeclaredOption extends Option {
  readonly field: string;
  readonly declared: Declared<unknown>;

  constructor(field: string, declared: Declared<unknown>, description: string) {
    super(declared.flags, description);
    this.field = field;
    this.declared = declared;
  }

  /** commander would derive the field from the flag. */
  override attributeName(): string {
    return this.field;
  }
}

/** Adds options to a command; its values are then read and checked. */
export function addOptions(parser: Parser, options: Options): void {
  for (const [field, declared] of Object.entries(options)) {
    const { flags, help, initial, variable, choices, conflicts = [], add } = declared;
    const sources = [variable === undefined ? [] : `$${variable}`, declared.defaultText ?? []].flat().join(', or ');
    const isUnset = initial === undefined || typeof initial === 'boolean' || String(initial) === '';
    const suffix = isUnset && sources !== '' ? ` (default: ${sources})` : '';
    const option = new DeclaredOption(field, declared, help + suffix).conflicts([...conflicts]);
    if (!isUnset) option.default(initial, sources || String(initial));
    if (choices !== undefined) option.choices([...choices]);
    if (add !== undefined) {
      let isGiven = false;
      // Instead of commander's message about a choice, which repeats the value.
      option.argParser((given: string, before: unknown) => {
        rejectOptionAsValue(given, option, parser);
        const earlier = isGiven ? before : undefined;
        isGiven = true;
        return add(given, earlier, longFlag(flags));
      });
    }
    parser.addOption(option).setOptionValueWithSource(field, initial, 'default');
  }
}

/** An option after an option is not its value, though commander takes it. @throws UsageError */
function rejectOptionAsValue(given: string, option: Option, parser: Parser): void {
  const next = given.split('=', 1)[0] ?? '';
  if (next !== '--help' && !parser.options.some(({ long }) => long === next)) return;
  const message = `${option.long}: missing value before ${next}; write ${usageOf(option.flags)}`;
  throw new UsageError('option-value-missing', message);
}

/** The long options of a command, without hyphens in front. */
export const longNames = (parser: Parser): readonly string[] => [
  ...parser.options.flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)])),
  'help',
];
