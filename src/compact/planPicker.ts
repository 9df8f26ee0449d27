import * as vscode from 'vscode';
import { percentText, tokensText } from '../base/format/numbers';
import type { CompactPlan } from './worker/engine';

const { t } = vscode.l10n;

/** The initial values of the options input, and what it may offer. */
export interface PlanChoices {
  readonly plan: CompactPlan;
  /** Estimated tokens of the whole chat. */
  readonly tokens: number;
  /** The smallest share that this machine can keep with so many last turns whole. */
  readonly lowestRatio: (keepRecent: number) => number;
  /** Whether messages that the tool no longer sends are included; absent where there are none. */
  readonly includesEarlier?: boolean;
  /** Name of the tool. */
  readonly tool: string;
  /** False where nothing may be sent, or no key is set. */
  readonly offersService: boolean;
  readonly serviceHost: string;
}

interface OptionRow extends vscode.QuickPickItem {
  /** The plan once this row is accepted; absent on the row that starts the compaction. */
  readonly next?: CompactPlan;
  /** The chat has to be read again, with its earlier messages or without them. */
  readonly switchesEarlier?: boolean;
}

export interface ChosenPlan {
  readonly plan: CompactPlan;
  /** The user wants earlier messages in or out, and goes on to choose. */
  readonly switchesEarlier: boolean;
}

const presets = [0.5, 0.3, 0.2, 0.1];
const recentTurnCounts = [0, 1, 2, 4, 8];

/** Asks for all options in one quick pick: rows change an option; typed text is a share, a query or a pin. */
export async function askPlan(title: string, offer: PlanChoices): Promise<ChosenPlan | undefined> {
  const pick = vscode.window.createQuickPick<OptionRow>();
  let { plan } = offer;
  pick.title = t('Compact "{0}"', title);
  pick.placeholder = t('Type what matters next, a share such as 25%, or press Enter');
  pick.ignoreFocusOut = true;
  const fill = (): void => {
    pick.prompt = promptOf(plan, offer);
    pick.items = rowsFor(plan, offer, pick.value.trim());
    pick.activeItems = pick.items.slice(0, 1);
  };
  fill();
  return new Promise(resolve => {
    pick.onDidChangeValue(fill);
    pick.onDidAccept(() => {
      const [picked] = pick.activeItems;
      if (!picked) return;
      if (!picked.next) {
        resolve({ plan, switchesEarlier: picked.switchesEarlier === true });
        pick.hide();
        return;
      }
      plan = picked.next;
      pick.value = '';
      fill();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function promptOf({ engine }: CompactPlan, { serviceHost, offersService }: PlanChoices): string {
  if (engine === 'service') return t('The whole chat is sent to {0}.', serviceHost);
  return offersService
    ? t('Compacted on this machine; nothing is sent.')
    : t('Compacted on this machine; nothing is sent, and no key is needed.');
}

function row(icon: string, label: string, next: CompactPlan): OptionRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), next, alwaysShow: true };
}

function separator(label: string): OptionRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function rowsFor(plan: CompactPlan, offer: PlanChoices, typed: string): OptionRow[] {
  const { engine, route, ratio, query, keepRecent, pins } = plan;
  if (typed !== '') {
    const share = parseRatio(typed);
    return [
      ...(share === undefined
        ? []
        : [row('fold', t('Keep {0}', percentText(share)), { ...plan, ratio: share })]),
      row('target', t('What matters next: {0}', typed), { ...plan, query: typed }),
      row('pin', t('Always keep lines with "{0}"', typed), {
        ...plan,
        pins: [...pins.filter(pin => pin !== typed), typed],
      }),
    ];
  }
  const takesOptions = engine === 'local' || route === 'compact';
  const shares = presets.includes(ratio) ? presets : [ratio, ...presets];
  return [
    {
      label: takesOptions ? t('Compact to {0}', percentText(ratio)) : t('Compact'),
      iconPath: new vscode.ThemeIcon('play'),
      description: takesOptions
        ? keptDescription(plan, offer)
        : t('the service decides how much to keep'),
    },
    ...(takesOptions
      ? [
          separator(t('how much to keep')),
          ...shares.map(share => ({
            label: percentText(share),
            iconPath: new vscode.ThemeIcon(
              share === ratio ? 'pass-filled' : 'circle-large-outline',
            ),
            description: [
              t('about {0}', tokensText(offer.tokens * share, t)),
              ...(share === ratio ? [t('in use')] : []),
            ].join(' · '),
            next: { ...plan, ratio: share },
          })),
          separator(t('what to keep')),
          {
            label: t('What matters next'),
            iconPath: new vscode.ThemeIcon('target'),
            description:
              query === ''
                ? t('the last question of the chat')
                : t('{0} · press Enter to clear', query),
            next: { ...plan, query: '' },
          },
          {
            label: t('Last turns kept whole'),
            iconPath: new vscode.ThemeIcon('history'),
            description: `${keepRecent}`,
            next: { ...plan, keepRecent: nextHigher(recentTurnCounts, keepRecent) },
          },
        ]
      : [separator(t('what to keep'))]),
    ...earlierRows(offer),
    ...pins.map(pin => ({
      label: t('Lines with "{0}"', pin),
      iconPath: new vscode.ThemeIcon('pin'),
      description: t('press Enter to unpin'),
      next: { ...plan, pins: pins.filter(other => other !== pin) },
    })),
    ...(offer.offersService
      ? [
          separator(t('where to compact')),
          {
            label:
              engine === 'local' ? t('This machine') : t('The service at {0}', offer.serviceHost),
            iconPath: new vscode.ThemeIcon('server'),
            description: t('press Enter to change'),
            next: {
              ...plan,
              engine: engine === 'local' ? ('service' as const) : ('local' as const),
            },
          },
        ]
      : []),
  ];
}

function earlierRows({ includesEarlier, tool }: PlanChoices): OptionRow[] {
  if (includesEarlier === undefined) return [];
  return [
    {
      label: t('Earlier messages'),
      iconPath: new vscode.ThemeIcon('archive'),
      description: includesEarlier
        ? t('included · press Enter to leave them out')
        : t('{0} no longer sends them · press Enter to include them', tool),
      switchesEarlier: true,
    },
  ];
}

function keptDescription({ ratio, keepRecent }: CompactPlan, offer: PlanChoices): string {
  const { tokens, lowestRatio } = offer;
  const lowest = lowestRatio(keepRecent);
  return lowest > ratio
    ? t(
        '{0}, at least {1} kept: what you wrote and the last turns are more than that',
        tokensText(tokens, t),
        tokensText(tokens * lowest, t),
      )
    : t('{0}, about {1} kept', tokensText(tokens, t), tokensText(tokens * ratio, t));
}

/** Parses a share: `25%`, `25` and `0.25` mean the same. Returns undefined for other text. */
function parseRatio(typed: string): number | undefined {
  const match = /^(\d{1,3}(?:[.,]\d{1,3})?|[.,]\d{1,3})\s*(%?)$/.exec(typed);
  if (!match) return undefined;
  const value = Number(match[1]?.replace(',', '.'));
  const share = match[2] === '%' || value >= 1 ? value / 100 : value;
  return share > 0 && share <= 1 ? share : undefined;
}

function nextHigher(values: readonly number[], value: number): number {
  return values.find(other => other > value) ?? values[0] ?? 0;
}
