import * as vscode from 'vscode';
import { withProgress } from '../platform/progress';
import type { SearchClient } from './codeSearch';
import { fileKey } from './view/nodes';
import { codeOfPlaces, type ShownSearch } from './view/shownSearch';

const { t } = vscode.l10n;

/** Characters of one file that the rerank model gets. */
const maxRerankChars = 4000;

/** Puts the files of a search in the order of the rerank model. */
export async function rerankResults(client: SearchClient, search: ShownSearch): Promise<void> {
  // Others may come while the service sorts.
  const { files } = search;
  const codes = await codeOfPlaces(search, files);
  const documents = files.map(file => {
    const parts = codes.filter(part => part.file === file).map(({ code }) => code);
    return `${search.nameOf(file)}\n${parts.join('\n')}`.slice(0, maxRerankChars);
  });
  const { query } = search.request;
  const { results } = await withProgress(t('Sorting by rerank'), signal =>
    client.rerank(
      { query, documents },
      { signal, sending: { purpose: 'rerank', secrets: 'withhold' } },
    ),
  );
  search.reorder(
    results.flatMap(({ index }) => {
      const file = files[index];
      return file ? [fileKey(file)] : [];
    }),
  );
}
