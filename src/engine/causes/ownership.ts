import { sizeOf } from '../wrong-answers.ts';
import type { Member } from './groups.ts';

/** Sorts what owns a fault before what it breaks in passing. */
export function byOwnership(consequences: ReadonlySet<Member>): (one: Member, other: Member) => number {
  const kinds = ['stated', 'derived', 'open'];
  const ranksOf = (member: Member): readonly number[] => {
    const { check, finding } = member;
    const isOfAnother = check.operation !== finding.like.operation;
    return [
      Number(consequences.has(member)),
      Number(check.kind === 'open'),
      // What a check finds by asking for it may stumble over the fault of another; a rule looks at one answer.
      Number(!finding.isByRule),
      Number(!finding.isByRule && isOfAnother),
      magnitudeOf(check.judged / check.violated),
      kinds.indexOf(check.kind),
      Number(isOfAnother),
      -finding.judged.size,
      sizeOf(finding.simplest),
    ];
  };
  return (one, other) => {
    const [left, right] = [ranksOf(one), ranksOf(other)];
    return left.map((rank, at) => rank - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  };
}

/** The power of two that is nearest: one in 116 and one in 133 are alike. Last where nothing was violated by a rule. */
function magnitudeOf(ratio: number): number {
  return Number.isFinite(ratio) ? Math.round(Math.log2(Math.max(1, ratio))) : Number.MAX_SAFE_INTEGER;
}
