import type { WriteLabel } from './rootState';

const maxLabels = 20;

/** Labels of one writer become one. */
export function addLabel(labels: readonly WriteLabel[], label: WriteLabel): readonly WriteLabel[] {
  const at = labels.findIndex(
    ({ agent, session, turn, tool, isShared }) =>
      agent === label.agent &&
      session === label.session &&
      turn === label.turn &&
      tool === label.tool &&
      isShared === label.isShared,
  );
  const same = labels[at];
  if (!same) return [...labels, label].slice(-maxLabels);
  const from = Math.min(same.from, label.from);
  const to = Math.max(same.to, label.to);
  return from === same.from && to === same.to ? labels : labels.with(at, { ...same, from, to });
}

export const mergeLabels = (
  labels: readonly WriteLabel[],
  more: readonly WriteLabel[],
): readonly WriteLabel[] => more.reduce(addLabel, labels);
