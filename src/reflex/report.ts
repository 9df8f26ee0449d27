import { costText, durationText } from '../host/phrases';
import { type Translate, escapeMarkdown } from '../host/words';
import type { Called } from '../service/operation';
import type { Predictions } from '../service/wire/reflex';
import { type Reading, bar, percent, readPrediction, selectedText, withoutIcons } from './reflexes';

/** The answer to one classified text. */
export interface Classified {
  /** What it was, for people: "Selection, 214 characters". */
  readonly what: string;
  readonly readings: readonly Reading[];
  readonly failures: Predictions['failures'];
  /** "92 ms · about $0.004" */
  readonly facts: string;
}

export function classified(what: string, answer: Called<Predictions>, t: Translate): Classified {
  const { predictions, failures, ms, cost } = answer;
  return {
    what,
    readings: predictions.map(readPrediction),
    failures,
    facts: [durationText(ms, t), ...(cost ? [costText(cost, t)] : [])].join(' · '),
  };
}

export interface ResultRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** Lines of a list: what is notable first. */
export function rowsOf({ readings, failures }: Classified, t: Translate): ResultRow[] {
  const sorted = readings.toSorted((a, b) => rank(b) - rank(a));
  return [
    ...sorted.map(reading => {
      const icon = reading.isWarning ? 'warning' : reading.isNotable ? 'info' : 'dash';
      const [best] = reading.selected;
      return {
        label: `$(${best && !reading.isNotable ? 'check' : icon}) ${withoutIcons(reading.reflex)}`,
        description: best
          ? withoutIcons(`${bar(best.score)} ${selectedText(reading)}`)
          : t('– no label passed its threshold'),
        detail: withoutIcons(
          reading.labels.map(({ label, score }) => `${label} ${percent(score)}`).join('   '),
        ),
      };
    }),
    ...failures.map(({ model, message }) => ({
      label: `$(error) ${withoutIcons(model)}`,
      description: t('failed'),
      detail: withoutIcons(message),
    })),
  ];
}

const rank = ({ isWarning, isNotable }: Reading): number =>
  2 * Number(isWarning) + Number(isNotable);

/** A Markdown document with a table and a bar for each label. */
export function reportOf(result: Classified, t: Translate): string {
  const { what, readings, failures, facts } = result;
  const parts = [
    `# ${t('Classification')}`,
    `${escapeMarkdown(what)} · ${facts}`,
    [
      `| ${t('Reflex')} | ${t('Selected')} |`,
      '| :-- | :-- |',
      ...readings.map(
        reading =>
          `| ${escapeMarkdown(reading.reflex)} | ${escapeMarkdown(selectedText(reading))} |`,
      ),
      ...failures.map(
        ({ model, message }) => `| ${escapeMarkdown(model)} | ${escapeMarkdown(message)} |`,
      ),
    ].join('\n'),
    ...readings.map(reading => labelsTable(reading, t)),
    t('– means that no label passed its threshold. That is no error.'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const reportCells = 20;

function labelsTable({ reflex, labels, selected }: Reading, t: Translate): string {
  const chosen = new Set(selected.map(({ label }) => label));
  return [
    `## ${escapeMarkdown(reflex)}`,
    '',
    `| ${t('Label')} | ${t('Score')} | |`,
    '| :-- | --: | :-- |',
    ...labels.map(
      ({ label, score }) =>
        `| ${escapeMarkdown(label)}${chosen.has(label) ? ' ✓' : ''} | ${percent(score)} | ${bar(score, reportCells)} |`,
    ),
  ].join('\n');
}
