import * as vscode from 'vscode';
import { filesText } from '../../base/format/counts';
import { sumUsd } from '../../base/format/money';
import { numberText, tokensText } from '../../base/format/numbers';
import { adviceFor } from '../../service';
import type { SearchForecast } from '../agent/searchForecast';
import type { LocalReason } from '../codeSearch';
import { readQuery } from '../local/query/requestedRoute';
import type { SearchState } from '../runSearch';
import { countPlaces, type FoundFile } from './results';

const { t } = vscode.l10n;

export function placesText(files: readonly FoundFile[]): string {
  const places = countPlaces(files);
  const inFiles = filesText(files.length, t);
  return places === 1 ? t('1 place in {0}', inFiles) : t('{0} places in {1}', places, inFiles);
}

export const searchEngineText = (engine: SearchState['engine']): string =>
  engine === 'both' ? t('model and local') : engine === 'model' ? t('model') : t('local');

/** Why the results are not those of the model, although it was asked; '' when they are. */
export function fallbackText({ fallback, error, engine, files }: SearchState): string {
  if (fallback === undefined) return '';
  if (fallback === 'nothing' && files.length === 0) {
    return t('The search model found nothing either.');
  }
  const why = {
    failed: t('The search model could not help. {0}', adviceFor(error, t).message),
    nothing: t('The search model found nothing.'),
    turns: t('The search model used up its turns.'),
    repeats: t('The search model went in circles.'),
    time: t('The search model took too long.'),
    silent: t('The search model gave no answer.'),
  }[fallback];
  const instead =
    engine === 'model'
      ? t('These are the places that it read last.')
      : t('These are the places that the local search found.');
  return files.length === 0 ? why : `${why} ${instead}`;
}

/**
 * What local results lack: words that no file has, files, when a limit ended the search, or git's history. '' when
 * nothing.
 */
export function lackText({ engine, cut, history, corrections = [] }: SearchState): string {
  if (engine === 'model') return '';
  const taken = corrections.map(({ typed, taken: word }) =>
    t('No file has "{0}", so "{1}" was looked for.', typed, word),
  );
  const limits = {
    time: t(
      'The search stopped at its time limit, so files may be missing. Search in a folder, or exclude large ones.',
    ),
    size: t(
      'There were more hits than a search can count, so files may be missing. Use rarer words, or search in a folder.',
    ),
  };
  const unread = t(
    "Git's history was not read in time, so it did not help to sort them. Search again to use it.",
  );
  return [...taken, cut ? limits[cut] : '', history === 'missing' ? unread : '']
    .filter(Boolean)
    .join(' ');
}

/** How git's history changes the order of results that are shown already; '' when it does not. */
export function orderText({ engine, history }: SearchState): string {
  if (engine === 'model') return '';
  if (history === 'reading')
    return t("Git's history is still being read, and may change the order.");
  return history === 'late' ? t("Sorted anew, after git's history had been read.") : '';
}

/** What a search will send, shown before it runs. */
export function sentText(reason: LocalReason | undefined, host: string): string {
  switch (reason) {
    case undefined:
      return t(
        'The search model at {0} helps: it gets your words, the names of files, the places that the local search found, and the code that it asks to see.',
        host,
      );
    case 'untrusted':
      return t('Searched on this machine only, because this workspace is not trusted.');
    case 'setting':
      return t('Searched on this machine only, because of the settings.');
    default:
      return t('Searched on this machine; nothing is sent. With an API key, a search model helps.');
  }
}

/** What the search model will cost, for the user. */
export function forecastText({ maxTokens, maxUsd, usual }: SearchForecast): string {
  if (maxUsd === undefined) {
    const most = tokensText(maxTokens, t);
    return usual === undefined
      ? t('The price of the search model is not known here. A search uses at most about {0}.', most)
      : t(
          'The price of the search model is not known here. A search usually uses about {0}, and at most about {1}.',
          tokensText(usual.tokens, t),
          most,
        );
  }
  return usual?.usd === undefined
    ? t('A search costs at most about {0}.', sumUsd(maxUsd))
    : t(
        'A search usually costs about {0}, and at most about {1}.',
        sumUsd(usual.usd),
        sumUsd(maxUsd),
      );
}

export function nothingText({ query, searched }: Pick<SearchState, 'query' | 'searched'>): string {
  if (readQuery(query).terms.length === 0) {
    return t(
      'There is no word in this that the local search could look for. Describe what the code does, or name something in it.',
    );
  }
  const found =
    searched === undefined
      ? t('Nothing was found.')
      : searched === 0
        ? t('There are no files to search.')
        : t(
            'Nothing was found in {0}. Try words that the code or its comments may use.',
            filesText(searched, t, numberText(searched, vscode.env.language)),
          );
  return `${found} ${t('Not searched: files that are ignored, excluded (files.exclude, search.exclude) or hidden, and those that may hold keys.')}`;
}
