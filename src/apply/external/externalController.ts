import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Host } from '../../platform/host';
import { EditorObserver } from './editorObserver';
import { ExternalChanges } from './externalChanges';
import { ExternalCommands } from './externalCommands';
import { FollowedRoots } from './followedRoots';
import { baselineScheme } from './ids';
import { BaselineDocuments } from './view/baselineDocuments';
import { ExternalDecorations } from './view/externalDecorations';
import { ExternalFindings } from './view/externalFindings';
import { ExternalLenses } from './view/externalLenses';
import { ExternalList } from './view/externalList';
import { ExternalPages } from './view/externalPages';
import { ExternalStatus } from './view/externalStatus';
import { FirstOffer } from './view/firstOffer';

/** Lists what other programs change on disk, to keep or undo it change by change. */
export interface ExternalController {
  readonly commands: ExternalCommands;
  readonly list: ExternalList;
}

/**
 * Starts to follow the folders of the workspace.
 *
 * @param onFirst called once, when something is pending for the first time.
 */
export async function createExternalController(
  host: Host,
  store: DisposableStore,
  onFirst: () => void,
): Promise<ExternalController> {
  const onError = (error: unknown): void => host.log.error('external changes', error);
  const changes = store.add(new ExternalChanges());
  const documents = store.add(new BaselineDocuments(changes));
  const pages = store.add(new ExternalPages(changes, documents, onError));
  const findings = store.add(new ExternalFindings(changes));
  const events = store.add(new EditorObserver(changes, onError));
  const list = store.add(
    new ExternalList(changes, {
      findings,
      memory: host.context.workspaceState,
      isInConflict: file => events.isInConflict(file),
      onError,
    }),
  );
  const marks = new DisposableStore();
  store.add(marks);
  // VS Code asks providers about every document, so they wait until there is something to show.
  const first = store.add(
    changes.onDidChange(() => {
      if (changes.files.length === 0) return;
      first.dispose();
      const lenses = marks.add(new ExternalLenses(changes));
      marks.add(
        vscode.languages.registerCodeLensProvider(
          [{ scheme: 'file' }, { scheme: 'vscode-remote' }, { scheme: baselineScheme }],
          lenses,
        ),
      );
      marks.add(new ExternalDecorations(changes));
      marks.add(new ExternalStatus(changes));
      onFirst();
    }),
  );
  store.add(new FirstOffer(changes, host.context.globalState));
  const roots = store.add(new FollowedRoots(host, changes, onError));
  await roots.start();
  return {
    list,
    commands: new ExternalCommands({
      changes,
      pages,
      grouping: list.grouping,
      whenFollowing: async () => roots.start(),
      refresh: () => list.refresh(),
    }),
  };
}
