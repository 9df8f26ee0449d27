import * as vscode from 'vscode';
import type { GatedClient } from '../../platform/egress/gatedClient';
import type { Host } from '../../platform/host';
import { withProgress } from '../../platform/progress';
import { settings } from '../../platform/settings';
import { withIcon } from '../../platform/window/pickIcon';
import { eventPrices } from '../../service';
import { modelRows } from './modelRows';
import { autoModel, defaultEditModel } from './runEdit';

const { t } = vscode.l10n;

/** Number of recent instructions that are offered. */
const maxRecent = 20;

/** The quick pick in which the user types an instruction. */
export class InstructionInput {
  readonly #host: Host;
  /** Newest first. They may quote code, so they are only kept in memory. */
  readonly #recent: string[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  /**
   * @param chooseModel called by the button; the input stays open.
   * @returns undefined when the user cancels.
   */
  async ask(title: string, chooseModel: () => Promise<void>): Promise<string | undefined> {
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { instruction?: string }>();
    const change = { iconPath: new vscode.ThemeIcon('settings-gear'), tooltip: t('Choose Model…') };
    const past = this.#recent.map(instruction => ({
      label: instruction,
      iconPath: new vscode.ThemeIcon('history'),
      instruction,
    }));
    const refresh = (): void => {
      const typed = pick.value.trim();
      pick.items = [
        ...(typed === ''
          ? []
          : [
              {
                label: typed,
                iconPath: new vscode.ThemeIcon('sparkle'),
                alwaysShow: true,
                instruction: typed,
              },
            ]),
        ...past.filter(({ instruction }) => instruction !== typed),
      ];
      pick.activeItems = pick.items.slice(0, 1);
    };
    const showModel = (): void => {
      const model = modelName(settings.editModel || defaultEditModel);
      pick.prompt = t('{0} writes the edit; you review it before anything changes', model);
    };
    pick.title = title;
    pick.placeholder = t('What should change? For example: handle an empty list');
    pick.buttons = [change];
    pick.ignoreFocusOut = true;
    showModel();
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
            showModel();
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
    this.#recent.splice(maxRecent);
  }
}

/** @returns the id of a model, or `auto`; undefined when the user cancels. */
export async function pickEditModel(
  client: Pick<GatedClient, 'catalogue'>,
  title: string,
): Promise<string | undefined> {
  const catalogue = await withProgress(t('Reading the catalogue'), signal =>
    client.catalogue({ signal }),
  );
  const rows = modelRows(catalogue, settings.editModel || defaultEditModel, eventPrices.router, t);
  const picked = await vscode.window.showQuickPick(rows.map(withIcon), {
    title,
    placeHolder:
      catalogue.source === 'live'
        ? t('Current prices from the catalogue')
        : t('The catalogue cannot be read; these prices may be out of date'),
    matchOnDetail: true,
  });
  return picked?.model;
}

export const modelName = (model: string): string =>
  model === autoModel ? t('the router’s pick') : model;
