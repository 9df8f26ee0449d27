import * as vscode from 'vscode';
import { dateTimeText, durationText } from '../../base/format/times';
import { retryWaitText } from '../../platform/polling/retryWaitText';
import { adviceFor } from '../../service';
import {
  fallbackText,
  lackText,
  nothingText,
  orderText,
  placesText,
  searchEngineText,
} from './messages';
import type { PlaceFile } from './nodes';
import type { ShownSearch } from './shownSearch';

const { t } = vscode.l10n;

/** A no-break space keeps the following dot from starting a line. */
const noBreak = '\u00a0';

/** The message of the view, such as `"query" — 12 places in 5 files · 0.8 s · local`, with the reason for a fallback. */
export function searchMessage(
  search: ShownSearch,
  files: readonly PlaceFile[],
  isKept = false,
): string {
  const { state, request, filter, interruption } = search;
  const query = `"${shorten(request.query, 100)}"`;
  if (search.isRunning && search.wait) return `${query} — ${retryWaitText(search.wait, t)}`;
  if (search.isRunning && files.length === 0) return t('{0} — searching…', query);
  const ended =
    interruption?.kind === 'stopped'
      ? t('The search was stopped.')
      : interruption?.kind === 'failed'
        ? t('The search failed. {0}', adviceFor(interruption.error, t).message)
        : '';
  const why = [ended, fallbackText(state), lackText(state), orderText(state)]
    .filter(Boolean)
    .join(' ');
  if (search.files.length === 0) {
    const nothing = interruption ? '' : nothingText(state);
    return [query, [nothing, why].filter(Boolean).join(' ')].join(' — ');
  }
  const parts = [
    files.length > 0 ? placesText(files) : t('no place left'),
    ...(filter === '' ? [] : [t('filter "{0}"', filter)]),
    ...(search.from === undefined
      ? [search.isRunning ? t('still searching…') : durationText(state.ms, t)]
      : [t('as of {0}', dateTimeText(search.from))]),
    searchEngineText(state.engine),
    ...(isKept ? [t('kept')] : []),
  ];
  return `${query} — ${parts.join(`${noBreak}· `)}${why === '' ? '' : `. ${why}`}`;
}

export function shorten(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxChars ? `${line.slice(0, maxChars)}…` : line;
}
