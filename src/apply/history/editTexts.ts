import { agoText } from '../../base/format/times';
import type { Translate } from '../../base/sentence';
import type { ApplySource } from '../review/model/reviewMeta';
import type { AppliedEdit } from './appliedEdit';
import type { EditGroup } from './editGroups';

/** What was decided: `3 of 4 changes accepted`, `new file, created`. */
export function outcomeText(entry: AppliedEdit, undone: ReadonlySet<string>, t: Translate): string {
  const parts = [decisionText(entry, t)];
  if (undone.has(entry.id)) parts.push(t('undone'));
  if (entry.isReplaced) parts.push(t('replaced by another edit'));
  if (!entry.isSaved) parts.push(t('not saved'));
  if (entry.isDamaged) parts.push(t('stored data is damaged'));
  return parts.join(', ');
}

function decisionText({ meta: { operation }, hunks, accepted }: AppliedEdit, t: Translate): string {
  const isAccepted = accepted.length > 0;
  if (operation?.kind === 'create') {
    return isAccepted ? t('new file, created') : t('new file, rejected');
  }
  if (operation?.kind === 'delete') {
    return isAccepted ? t('deleted') : t('deletion rejected');
  }
  if (operation?.kind === 'rename') {
    const name = nameOf(operation.newUri);
    return isAccepted ? t('renamed to {0}', name) : t('renaming to {0} rejected', name);
  }
  return hunks.length === 1
    ? isAccepted
      ? t('change accepted')
      : t('change rejected')
    : t('{0} of {1} changes accepted', accepted.length, hunks.length);
}

/** `12 minutes ago, from the clipboard` */
export function whenAndWhence(
  { time, entries }: EditGroup,
  now: number,
  { t, locale }: { readonly t: Translate; readonly locale: string },
): string {
  const source = entries[0]?.meta.origin.source;
  return [agoText(time, now, locale), ...(source ? [sourceText(source, t)] : [])].join(', ');
}

function sourceText(source: ApplySource, t: Translate): string {
  switch (source) {
    case 'clipboard':
      return t('from the clipboard');
    case 'selection':
      return t('for a selection');
    case 'file':
      return t('from a file');
    case 'drop':
      return t('dropped on the view');
    case 'chat':
      return t('from the chat');
    case 'tool':
      return t('from an agent');
    case 'instruction':
      return t('from an instruction');
    case 'again':
      return t('opened again');
    default:
      return t('undo of an earlier edit');
  }
}

/** Who wrote and merged it, as far as that was a model; undefined where nothing was merged. */
export function engineText({ meta: { origin } }: AppliedEdit, t: Translate): string | undefined {
  if (origin.source === 'undo') return undefined;
  const merged =
    origin.engine === 'local'
      ? t('merged locally')
      : t('merged by {0}', origin.model ?? t('the service'));
  return origin.author ? `${origin.author.model}, ${merged}` : merged;
}

/** The file's name without its folder. */
export function nameOf(uri: string): string {
  const [path = uri] = uri.split('#');
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
