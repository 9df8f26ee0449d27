import * as vscode from 'vscode';
import { confirm } from '../host/confirm';
import { settings } from '../host/settings';
import { eventPrices, formatUsd } from '../service/billing/pricing';
import { isRecord } from '../service/guards';
import { consentKey } from '../host/storageKeys';
import { indicatorReflexes } from './reflexes';
import { watchLimits } from './watch';

const { t } = vscode.l10n;

/** Each level holds the ones before it. */
export const levels = ['selection', 'prompts', 'documents'] as const;
export type Level = (typeof levels)[number];

/** What the user has agreed to in this workspace, for one service. */
export class Consent {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** `selection` until the user has agreed to more, in a workspace that is trusted. */
  get level(): Level {
    const { level, origin } = this.#stored();
    return vscode.workspace.isTrusted && level !== undefined && origin === serviceOrigin()
      ? level
      : 'selection';
  }

  /** The user agreed to more, but for another service. */
  get isForAnotherService(): boolean {
    const { level, origin } = this.#stored();
    return level !== undefined && level !== 'selection' && origin !== serviceOrigin();
  }

  /** For a level that the user has chosen: says what it sends and costs. @returns true when it is agreed to. */
  async ask(level: Exclude<Level, 'selection'>): Promise<boolean> {
    if (!vscode.workspace.isTrusted || serviceOrigin() === '') return false;
    if (levels.indexOf(this.level) >= levels.indexOf(level)) return true;
    const isAgreed = await confirm(
      level === 'documents'
        ? t('Send paragraphs of prose files to {0} while you write?', settings.serviceHost)
        : t('Send your prompts to {0} for classification?', settings.serviceHost),
      consentDetail(level),
      level === 'documents' ? t('Watch in This Workspace') : t('Check in This Workspace'),
      t('Not Now'),
    );
    if (isAgreed) await this.set(level);
    return isAgreed;
  }

  async set(level: Level): Promise<void> {
    await this.#memory.update(consentKey, { level, origin: serviceOrigin() });
  }

  #stored(): { readonly level: Level | undefined; readonly origin: unknown } {
    const value = this.#memory.get<unknown>(consentKey);
    if (!isRecord(value)) return { level: undefined, origin: undefined };
    return { level: levels.find(level => level === value['level']), origin: value['origin'] };
  }
}

/** '' where no usable address is set. */
export function serviceOrigin(): string {
  return URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).origin : '';
}

/** What leaves the machine, and what it may cost. */
export function consentDetail(level: Level): string {
  const count = Math.min(indicatorReflexes, settings.reflexes.length);
  const calls = settings.reflexDailyCalls;
  const perCall = count * eventPrices.reflex.first;
  const price = t(
    'The account of your API key pays {0} for each text ({1} reflexes), at most {2} texts or {3} a day.',
    formatUsd(perCall),
    count,
    calls,
    formatUsd(perCall * calls),
  );
  const never = t(
    'Never sent: source code, ignored files, files that may hold keys, and texts with a key or a password in them. How long the service keeps texts stands in its terms.',
  );
  const prompts = t('The prompt that you send to @splice in the chat, at the moment you send it.');
  const what =
    level === 'documents'
      ? t(
          'Sent: the paragraph at the cursor, up to {0} characters, when you pause, of files that match {1}. {2}',
          watchLimits.longest,
          settings.reflexFiles.join(', '),
          prompts,
        )
      : t('Sent: {0}', prompts);
  return [what, price, never].join('\n\n');
}
