import * as vscode from 'vscode';
import { ids } from '../manifest';
import { nameOf } from './endpointRows';
import type { Fleet } from './fleet';
import { lastStep, lookOf } from './lifecycle';

const { t } = vscode.l10n;

/** The entry of the status bar: only while something that the user wants to be told of is starting. */
export class StartingItem implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(fleet: Fleet | undefined, watched: ReadonlySet<string>): void {
    const waited = (fleet?.endpoints ?? []).filter(
      endpoint => watched.has(endpoint.id) && lookOf(endpoint.state, t).group === 'starting',
    );
    const [first] = waited;
    if (!first) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    this.#item ??= vscode.window.createStatusBarItem(
      ids.endpointsView,
      vscode.StatusBarAlignment.Left,
    );
    const { words, step } = lookOf(first.state, t);
    const where = step === undefined ? words : t('step {0} of {1}', step, lastStep);
    this.#item.name = t('Splice: Endpoints');
    this.#item.text =
      waited.length === 1
        ? `$(loading~spin) ${nameOf(first)}: ${where}`
        : `$(loading~spin) ${t('{0} endpoints are starting', waited.length)}`;
    this.#item.tooltip = waited
      .map(endpoint => `${nameOf(endpoint)}: ${lookOf(endpoint.state, t).words}`)
      .join('\n');
    this.#item.accessibilityInformation = {
      label: t('Endpoints that are starting: {0}', this.#item.tooltip.replaceAll('\n', ', ')),
    };
    this.#item.command = `${ids.endpointsView}.focus`;
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}
