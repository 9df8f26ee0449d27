import { charactersText } from '../../base/format/counts';
import { escapeMarkdown, type Translate } from '../../base/format/text';
import { timeOfDay } from '../../base/format/times';
import { recordLimit, type SentEntry, type SentRecord } from './record';
import type { Purpose } from './sending';

/** What this window has sent, as Markdown, newest first: names and sizes, never content. */
export function sentReport({ entries, forgotten }: SentRecord, t: Translate): string {
  const parts = [
    `# ${t('What Was Sent')}`,
    t(
      'What this window has sent since it was opened: the newest first, names and sizes only. The list is kept in memory on this computer, holds at most {0} calls, and goes with the window.',
      recordLimit,
    ),
  ];
  if (entries.length === 0) parts.push(t('Nothing was sent.'));
  else {
    const rows = entries.toReversed().map(entry => reportRow(entry, t));
    const head = [t('When'), t('For'), t('To'), t('Files'), t('Characters'), t('Outcome')];
    parts.push(
      [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n'),
    );
  }
  if (forgotten > 0) {
    parts.push(
      t(
        forgotten === 1
          ? '1 earlier call is no longer listed.'
          : '{0} earlier calls are no longer listed.',
        forgotten,
      ),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function reportRow(entry: SentEntry, t: Translate): string {
  const files = entry.files.map(({ name, chars }) =>
    t('{0} ({1})', name, charactersText(chars, t)),
  );
  const cells = [
    timeOfDay(entry.at),
    purposeText(entry.purpose, t),
    entry.to,
    files.join(', '),
    String(entry.chars),
    outcomeText(entry, t),
  ];
  return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
}

function outcomeText({ outcome, reason, withheld, isAgreed }: SentEntry, t: Translate): string {
  const main = {
    sending: t('on its way'),
    sent: t('sent'),
    unsent: t('not sent: the call failed before sending'),
    refused: t('refused: {0}', reason ?? ''),
  }[outcome];
  return [
    main,
    ...(withheld > 0
      ? [
          t(
            withheld === 1
              ? '1 value that looks like a key was left out'
              : '{0} values that look like keys were left out',
            withheld,
          ),
        ]
      : []),
    ...(isAgreed && outcome !== 'refused' ? [t('with what you agreed to')] : []),
  ].join('; ');
}

function purposeText(purpose: Purpose, t: Translate): string {
  return {
    apply: t('merging an edit'),
    edit: t('an edit by a chat model'),
    search: t('code search'),
    rerank: t('sorting results'),
    compact: t('compacting a chat'),
    chat: t('chat'),
    prompt: t('a prompt for @splice'),
    pickModel: t('picking a model'),
    classify: t('classification'),
    classifyPrompt: t('classifying a prompt'),
    watch: t('the reflex indicator'),
    batch: t('a batch run'),
    guard: t('the check of an attached file'),
    playground: t('the Playground'),
    test: t('a test request'),
  }[purpose];
}
