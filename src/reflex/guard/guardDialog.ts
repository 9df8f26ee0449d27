import * as vscode from 'vscode';
import { confirm } from '../../platform/confirm';
import { adviceFor } from '../../service';
import { percent, selectedLabelsText } from '../reflexes';
import type { GuardedText, GuardFinding } from './promptGuard';

const { t } = vscode.l10n;

/** Asks whether to send a text that the guard has flagged; closing the dialog means no. */
export async function askAboutFinding(finding: GuardFinding, text: GuardedText): Promise<boolean> {
  return confirm(
    titleOf(finding, nameOf(text)),
    detailOf(finding),
    t('Send Anyway'),
    t('Do Not Send'),
  );
}

/** The finding as a sentence, where no dialog can be shown. */
export function findingText(finding: GuardFinding, text: GuardedText): string {
  const title = titleOf(finding, nameOf(text));
  return finding.kind === 'failed' ? `${title} ${detailOf(finding)}` : title;
}

function nameOf({ source, name }: GuardedText): string {
  if (source === 'file') return name ?? t('The file');
  return source === 'clipboard' ? t('The clipboard') : (name ?? t('The selection'));
}

function titleOf(finding: GuardFinding, name: string): string {
  switch (finding.kind) {
    case 'positive': {
      const [worst] = finding.readings.toSorted(
        (a, b) => (b.selected[0]?.score ?? 0) - (a.selected[0]?.score ?? 0),
      );
      return worst?.reflex === 'guardrail'
        ? t('{0} may contain harmful content ({1}).', name, percent(worst.selected[0]?.score ?? 0))
        : t(
            '{0} may try to take over the chat model ({1}).',
            name,
            percent(worst?.selected[0]?.score ?? 0),
          );
    }
    case 'secret':
      return t('{0} seems to contain a key or a password.', name);
    default:
      return t('{0} could not be checked.', name);
  }
}

function detailOf(finding: GuardFinding): string {
  switch (finding.kind) {
    case 'positive':
      return finding.readings
        .map(reading => `${reading.reflex}: ${selectedLabelsText(reading)}`)
        .join('\n');
    case 'secret':
      return t('It was not sent to the classifiers either.');
    default:
      return adviceFor(finding.error, t).message;
  }
}
