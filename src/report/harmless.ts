import { printable } from '../text.ts';

/** Log commands of GitHub, Azure, TeamCity and GitLab. An address such as `[::1]` is not one. */
const COMMANDS: readonly (readonly [pattern: RegExp, broken: string])[] = [
  [/::(?=[a-z][^\n]*::)/gi, ': :'],
  [/##(?=\[|vso\[|teamcity\[)/gi, '## '],
  [/(section_(?:start|end)):/gi, '$1 :'],
];

/** A printable text for a log, in which nothing that a service sent is a command to a CI system. */
export function harmless(text: string): string {
  return COMMANDS.reduce((calm, [pattern, broken]) => calm.replace(pattern, broken), printable(text));
}
