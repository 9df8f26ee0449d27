import * as vscode from 'vscode';
import { endpointName } from '../contracts/endpointName';
import type { EndpointsSnapshot } from './core/endpointsSnapshot';
import { appearanceOf, lastStep } from './core/lifecycle';
import { endpointsView } from './ids';

const { t } = vscode.l10n;

/** Status bar item that is shown while a watched endpoint is starting. */
export class StartingItem implements vscode.Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(snapshot: EndpointsSnapshot | undefined, watched: ReadonlySet<string>): void {
    const waited = (snapshot?.endpoints ?? []).filter(
      endpoint => watched.has(endpoint.id) && appearanceOf(endpoint.state, t).group === 'starting',
    );
    const [first] = waited;
    if (!first) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    this.#item ??= vscode.window.createStatusBarItem(endpointsView, vscode.StatusBarAlignment.Left);
    const { label, step } = appearanceOf(first.state, t);
    const where = step === undefined ? label : t('step {0} of {1}', step, lastStep);
    this.#item.name = t('Splice: Endpoints');
    this.#item.text =
      waited.length === 1
        ? `$(loading~spin) ${endpointName(first)}: ${where}`
        : `$(loading~spin) ${t('{0} endpoints are starting', waited.length)}`;
    this.#item.tooltip = waited
      .map(endpoint => `${endpointName(endpoint)}: ${appearanceOf(endpoint.state, t).label}`)
      .join('\n');
    this.#item.accessibilityInformation = {
      label: t('Endpoints that are starting: {0}', this.#item.tooltip.replaceAll('\n', ', ')),
    };
    this.#item.command = `${endpointsView}.focus`;
    this.#item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }
}
