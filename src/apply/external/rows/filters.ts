import type { ListedFile } from './groups';

/** Which external changes are listed: all, those since the last prompt, or those of one agent by its id. */
export type ExternalFilter =
  | { readonly kind: 'all' | 'lastTurn' }
  | { readonly kind: 'agent'; readonly agent: string };

export const everything: ExternalFilter = { kind: 'all' };

/** The files that a filter leaves; all of them when it would leave none, so that nothing waits unseen. */
export function filteredFiles<T extends ListedFile>(
  files: readonly T[],
  filter: ExternalFilter,
): readonly T[] {
  const since = filter.kind === 'lastTurn' ? startOfLastTurn(files) : undefined;
  const left = files.filter(({ pending: { labels } }) => {
    switch (filter.kind) {
      case 'all':
        return true;
      case 'agent':
        return labels.some(({ agent }) => agent === filter.agent);
      case 'lastTurn':
        return since !== undefined && labels.some(({ to }) => to >= since);
      default:
        return filter satisfies never;
    }
  });
  return left.length > 0 ? left : files;
}

/** The filters that leave some of the files but not all. */
export function usefulFilters(files: readonly ListedFile[]): ExternalFilter[] {
  const agents = new Set(files.flatMap(({ pending }) => pending.labels.map(({ agent }) => agent)));
  const filters: ExternalFilter[] = [
    { kind: 'lastTurn' },
    ...[...agents].flatMap(agent =>
      agent === undefined ? [] : [{ kind: 'agent' as const, agent }],
    ),
  ];
  return filters.filter(filter => filteredFiles(files, filter).length < files.length);
}

/** The first write of the latest turn that an agent has told of, in milliseconds since the epoch. */
function startOfLastTurn(files: readonly ListedFile[]): number | undefined {
  const labels = files
    .flatMap(({ pending }) => pending.labels)
    .filter(({ turn }) => turn !== undefined);
  const last = labels.reduce<(typeof labels)[number] | undefined>(
    (latest, label) => (latest && latest.to >= label.to ? latest : label),
    undefined,
  );
  if (!last) return undefined;
  const ofTurn = labels.filter(
    ({ session, turn }) => session === last.session && turn === last.turn,
  );
  return Math.min(...ofTurn.map(({ from }) => from));
}
