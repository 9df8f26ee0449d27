import * as vscode from 'vscode';
import type { Host } from '../../host/host';
import { withProgress } from '../../host/progress';
import { settings } from '../../host/settings';
import { eventPrices } from '../../service/billing/pricing';
import type { GatedClient } from '../../host/egress/gatedClient';
import { modelRows } from './models';
import { autoModel, defaultEditModel } from './run';

const { t } = vscode.l10n;

/** How many instructions are offered again. */
const mostRecent = 20;

/** Asks what should change. */
export class InstructionInput {
  readonly #host: Host;
  /** The newest first. They may quote code, so they are kept in memory only. */
  readonly #recent: string[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * @param chooseModel for the button; the input stays open.
   * @returns undefined when the user leaves.
   */
  async ask(title: string, chooseModel: () => Promise<void>): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { instruction?: string }>();
    const change = { iconPath: new vscode.ThemeIcon('settings-gear'), tooltip: t('Choose Model…') };
    const past = this.#recent.map(instruction => ({
      label: `$(history) ${instruction}`,
      instruction,
    }));
    const refresh = (): void => {
      const typed = pick.value.trim();
      pick.items = [
        ...(typed === ''
          ? []
          : [{ label: `$(sparkle) ${typed}`, alwaysShow: true, instruction: typed }]),
        ...past.filter(({ instruction }) => instruction !== typed),
      ];
      pick.activeItems = pick.items.slice(0, 1);
    };
    const tell = (): void => {
      const model = modelName(settings.editModel || defaultEditModel);
      pick.prompt = t('{0} writes the edit; you review it before anything changes', model);
    };
    pick.title = title;
    pick.placeholder = t('What should change? For example: handle an empty list');
    pick.buttons = [change];
    pick.ignoreFocusOut = true;
    tell();
    refresh();
    return new Promise(resolve => {
      let isChoosing = false;
      pick.onDidChangeValue(refresh);
      pick.onDidAccept(() => {
        const instruction = pick.activeItems[0]?.instruction ?? pick.value.trim();
        if (instruction === '') return;
        this.#remember(instruction);
        resolve(instruction);
        pick.hide();
      });
      pick.onDidTriggerButton(
        this.#host.quietly(async () => {
          isChoosing = true;
          await chooseModel().finally(() => {
            isChoosing = false;
            tell();
            pick.show();
          });
        }),
      );
      pick.onDidHide(() => {
        if (isChoosing) return;
        resolve(undefined);
        pick.dispose();
      });
      pick.show();
    });
  }

  #remember(instruction: string): void {
    const at = this.#recent.indexOf(instruction);
    if (at >= 0) this.#recent.splice(at, 1);
    this.#recent.unshift(instruction);
    this.#recent.splice(mostRecent);
  }
}

/** @returns the id of a model, or `auto`; undefined when the user leaves. */
export async function pickEditModel(
  client: Pick<GatedClient, 'catalogue'>,
  title: string,
): Promise<string | undefined> {
  const catalogue = await withProgress(t('Reading the catalogue'), signal =>
    client.catalogue({ signal }),
  );
  const rows = modelRows(catalogue, settings.editModel || defaultEditModel, eventPrices.router, t);
  const picked = await vscode.window.showQuickPick(rows, {
    title,
    placeHolder:
      catalogue.source === 'live'
        ? t('Prices are those of the catalogue now')
        : t('The catalogue cannot be read; these prices may be out of date'),
    matchOnDetail: true,
  });
  return picked?.model;
}

export const modelName = (model: string): string =>
  model === autoModel ? t('the router’s pick') : model;
