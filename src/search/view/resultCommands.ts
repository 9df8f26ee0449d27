import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { nodesOf, type SearchNode } from './nodes';
import type { PlaceOpener } from './placeOpener';
import { type OpenTarget, type Relation, searchRelated } from './related/relatedSearch';
import { asText } from './results';
import {
  openResults,
  pathsOfNode,
  type ResultsDocuments,
  resultsMarkdown,
  textOfNode,
} from './resultText';
import type { SearchView } from './searchView';
import { type PlaceOfSearch, type ShownSearch, withDisplayPaths } from './shownSearch';

const { t } = vscode.l10n;

interface PickedNode {
  readonly node: SearchNode;
  readonly search: ShownSearch;
}

/** The place that a row stands for. The row of callers or tests, which is selected when they come, stands for their place. */
function placeOf({ node, search }: PickedNode): PlaceOfSearch | undefined {
  if (node.kind === 'set') return search.subject;
  const place = node.kind === 'file' ? node.children[0] : node;
  return place?.kind === 'place' ? { search, node: place } : undefined;
}

/** Implements the commands on the results in the view, of the present search and of the sets beside it. */
export class ResultCommands {
  readonly #view: SearchView;
  readonly #places: PlaceOpener;
  readonly #documents: ResultsDocuments;
  readonly #openTarget: OpenTarget;
  /** The node that Next and Previous start from. */
  #current: SearchNode | undefined;

  constructor(
    view: SearchView,
    places: PlaceOpener,
    documents: ResultsDocuments,
    openTarget: OpenTarget,
  ) {
    this.#openTarget = openTarget;
    this.#view = view;
    this.#places = places;
    this.#documents = documents;
  }

  /** Forgets which place was opened last, before other results are shown. */
  reset(): void {
    this.#places.clear();
    this.#current = undefined;
  }

  select(node: SearchNode | undefined): void {
    const search = node && this.#view.searchOf(node);
    if (node?.kind !== 'place' || !search) return;
    this.#current = node;
    this.#places.highlight(search, node);
  }

  // --- all results of the present search

  keep(): void {
    this.#view.keep(this.#view.results());
  }

  async copyAll(): Promise<void> {
    const search = this.#view.results();
    await vscode.env.clipboard.writeText(asText(withDisplayPaths(search, this.#view.shownFiles)));
  }

  async copyAsMarkdown(): Promise<void> {
    await vscode.env.clipboard.writeText(
      await resultsMarkdown(this.#view.results(), this.#view.shownFiles),
    );
  }

  async openInEditor(): Promise<void> {
    await openResults(this.#documents, this.#view.results(), this.#view.shownFiles, 'md');
  }

  async openInSearchEditor(): Promise<void> {
    await openResults(this.#documents, this.#view.results(), this.#view.shownFiles, 'code-search');
  }

  // --- single results

  /** Opens the next place of the result set in which the last one was opened. */
  async go(direction: 1 | -1): Promise<void> {
    const search = (this.#current && this.#view.searchOf(this.#current)) ?? this.#first();
    const { places } = search.nodes;
    const at = places.findIndex(({ id }) => id === this.#current?.id);
    const start = at < 0 ? (direction > 0 ? -1 : 0) : at;
    const next = places[(start + direction + places.length) % places.length];
    if (next?.kind !== 'place') throw new UserError(t('There are no results to go to.'));
    this.#current = next;
    await this.#places.open(search, next, { preview: true });
    await this.#view.reveal(next);
  }

  async openToSide(node?: unknown): Promise<void> {
    const [picked] = this.#picked(node, undefined);
    if (picked?.node.kind === 'place' || picked?.node.kind === 'file') {
      const options = { viewColumn: vscode.ViewColumn.Beside };
      await this.#places.open(picked.search, picked.node, options);
    }
  }

  async copy(node?: unknown, all?: unknown): Promise<void> {
    const lines = this.#picked(node, all).map(picked => textOfNode(picked.search, picked.node));
    await vscode.env.clipboard.writeText(lines.filter(Boolean).join('\n'));
  }

  async copyPath(node?: unknown, all?: unknown): Promise<void> {
    const paths = this.#picked(node, all).flatMap(picked =>
      pathsOfNode(picked.search, picked.node),
    );
    await vscode.env.clipboard.writeText([...new Set(paths)].join('\n'));
  }

  /** Shows the callers or tests of what a place is in, as a result set beside the present search. */
  async showRelated(relation: Relation, node?: unknown): Promise<void> {
    const [picked] = this.#picked(node, undefined);
    const place = picked && placeOf(picked);
    if (!place) throw new UserError(t('Select a place in the search results first.'));
    this.#view.checkForRoom();
    await this.#view.showSet(
      await searchRelated(relation, place.search, place.node, this.#openTarget),
    );
  }

  async dismiss(node?: unknown, all?: unknown): Promise<void> {
    const picked = this.#picked(node, all);
    await this.#view.dismiss(
      picked.map(one => one.node),
      () => {
        for (const one of picked) {
          if (one.node.kind === 'set') this.#view.remove(one.search);
          else one.search.dismiss(one.node);
        }
      },
    );
  }

  /** The present search, or else the first set beside it. */
  #first(): ShownSearch {
    const [set] = this.#view.sets;
    return this.#view.search || !set ? this.#view.results() : set;
  }

  /**
   * The nodes that a menu was opened on, or else the selection.
   * @throws {UserError} when the view has no results.
   */
  #picked(node: unknown, all: unknown): PickedNode[] {
    if (this.#view.sets.length === 0) this.#view.results();
    return (nodesOf(node, all) ?? this.#view.selection).flatMap(one => {
      const search = this.#view.searchOf(one);
      return search ? [{ node: one, search }] : [];
    });
  }
}
