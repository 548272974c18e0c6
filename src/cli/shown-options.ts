import { type Declared, longFlag, type Options } from './option.ts';

/** The options in force as a user would type them, without secrets; those that are chosen, where some are. */
export function shownValues(
  options: Options,
  values: object,
  isChosen: (field: string, declared: Declared<unknown, unknown>) => boolean = () => true,
): readonly string[] {
  const chosen = Object.fromEntries(Object.entries(options).filter(([field, declared]) => isChosen(field, declared)));
  return itemsOf(chosen, values).flatMap(([{ flags, shown, secret, write = String }, item]) => {
    const name = longFlag(flags);
    if (shown !== undefined) return shown(item, name) ?? [];
    return secret !== undefined ? [] : item === true ? name : `${name} ${write(item)}`;
  });
}

/** The secrets among the values. */
export function secretValues(options: Options, values: object): readonly string[] {
  return itemsOf(options, values).flatMap(([{ secret }, item]) => secret?.(item) ?? []);
}

/** Every single value that is set, with its declaration. */
function itemsOf(options: Options, values: object) {
  return Object.entries(options).flatMap(([field, declared]) => {
    const items: readonly unknown[] = [Reflect.get(values, field)].flat();
    return items.filter((item) => item !== undefined && item !== false).map((item) => [declared, item] as const);
  });
}
