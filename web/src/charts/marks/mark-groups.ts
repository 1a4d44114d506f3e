import type { ChartMark } from '@homeport/contract/charts/schema';

export interface MarkGroup {
  /** Where the group stands, in percent of the range. */
  across: number;
  marks: readonly ChartMark[];
}

/** Marks closer than this, in percent of the range, stand in one group: two buttons would overlap. */
const closest = 2.5;

/** Puts marks, oldest first, at their places in the range. An incident that began before the range stands at its begin. */
export function groupMarks(marks: readonly ChartMark[], from: number, to: number): MarkGroup[] {
  const groups: { across: number; marks: ChartMark[] }[] = [];
  for (const mark of marks) {
    const across = (100 * (Math.max(from, mark.at) - from)) / (to - from);
    if (across > 100) continue;
    const group = groups.at(-1);
    if (group && across - group.across < closest) group.marks.push(mark);
    else groups.push({ across, marks: [mark] });
  }
  return groups;
}

/** The words of a mark, for its button and its line in a list. */
export function markText(mark: ChartMark): string {
  if (mark.kind === 'work') return mark.title;
  return mark.endedAt === null ? `${mark.app} is down: ${mark.text}` : `${mark.app} was down: ${mark.text}`;
}
