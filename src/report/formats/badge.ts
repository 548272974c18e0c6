import type { RunResult } from '../model/result.ts';
import { count } from '../model/text.ts';
import type { ReportView } from '../view.ts';

function messageOf({ exitCode, summary }: RunResult): { readonly message: string; readonly color: string } {
  const { judged, testable, violated } = summary;
  switch (exitCode) {
    case 0:
      return { message: `conforms (${judged} of ${testable} judged)`, color: 'brightgreen' };
    case 1:
      return { message: violated === 0 ? 'failing' : `${count(violated, 'requirement')} violated`, color: 'red' };
    case 2:
      return { message: 'internal error', color: 'lightgrey' };
    case 3:
      return { message: 'not judged', color: 'lightgrey' };
  }
}

/** The verdict as a badge that shields.io draws (its "endpoint badge"). It says nothing of the target's address. */
export function badgeReport({ result, heading }: ReportView): string {
  const { message, color } = messageOf(result);
  const noVerdict = result.exitCode === 2 || result.exitCode === 3;
  const badge = { schemaVersion: 1, label: heading, message, color, isError: noVerdict };
  return `${JSON.stringify(badge, null, 2)}\n`;
}
