import * as vscode from 'vscode';
import { formatUsd } from '../base/format/money';
import { isRecord } from '../base/typeGuards';
import { confirm } from '../platform/confirm';
import { settings } from '../platform/settings';
import { consentKey } from '../platform/storageKeys';
import { eventPrices } from '../service';
import { watchLimits } from './indicator/watchedText';
import { indicatorReflexes } from './reflexes';

const { t } = vscode.l10n;

/** Each level includes the ones before it. */
const consentLevels = ['selection', 'prompts', 'documents'] as const;
export type ConsentLevel = (typeof consentLevels)[number];

/** The user's consent in this workspace, for one service. */
export class Consent {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** `selection` unless the user has agreed to more and the workspace is trusted. */
  get level(): ConsentLevel {
    const { level, origin } = this.#stored();
    return vscode.workspace.isTrusted && level !== undefined && origin === serviceOrigin()
      ? level
      : 'selection';
  }

  /** The user has agreed to more, but for another service. */
  get isForAnotherService(): boolean {
    const { level, origin } = this.#stored();
    return level !== undefined && level !== 'selection' && origin !== serviceOrigin();
  }

  /** Explains what the level sends and costs. @returns true if the user agrees. */
  async ask(level: Exclude<ConsentLevel, 'selection'>): Promise<boolean> {
    if (!vscode.workspace.isTrusted || serviceOrigin() === '') return false;
    if (consentLevels.indexOf(this.level) >= consentLevels.indexOf(level)) return true;
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

  async set(level: ConsentLevel): Promise<void> {
    await this.#memory.update(consentKey, { level, origin: serviceOrigin() });
  }

  #stored(): { readonly level: ConsentLevel | undefined; readonly origin: unknown } {
    const value = this.#memory.get<unknown>(consentKey);
    if (!isRecord(value)) return { level: undefined, origin: undefined };
    return {
      level: consentLevels.find(level => level === value['level']),
      origin: value['origin'],
    };
  }
}

/** Origin of the service address; '' if no valid address is set. */
export function serviceOrigin(): string {
  return URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).origin : '';
}

/** Describes what is sent at a level, and what it may cost. */
export function consentDetail(level: ConsentLevel): string {
  const count = Math.min(indicatorReflexes, settings.reflexes.length);
  const calls = settings.reflexDailyCalls;
  const perCall = count * eventPrices.reflex.first;
  const price = t(
    'The account of your API key pays {0} for each text ({1}), at most {2} texts or {3} a day.',
    formatUsd(perCall),
    t(count === 1 ? '1 reflex' : '{0} reflexes', count),
    calls,
    formatUsd(perCall * calls),
  );
  const never = t(
    'Never sent: source code, ignored files, files that may hold keys, and texts with a key or a password in them. How long the service keeps texts is stated in its terms.',
  );
  const prompts = t('The prompt that you send to @splice in the chat, at the moment you send it.');
  const what =
    level === 'documents'
      ? t(
          'Sent: the paragraph at the cursor, up to {0} characters, when you pause, of files that match {1}. {2}',
          watchLimits.maxChars,
          settings.reflexFiles.join(', '),
          prompts,
        )
      : t('Sent: {0}', prompts);
  return [what, price, never].join('\n\n');
}
