import { costText } from '../base/format/money';
import { escapeMarkdown, type Translate } from '../base/format/text';
import { durationText } from '../base/format/times';
import { withoutIcons } from '../base/text/withoutIcons';
import type { CallResult, Predictions } from '../service';
import {
  percent,
  type ReflexReading,
  readPrediction,
  scoreBar,
  selectedLabelsText,
} from './reflexes';

/** The classification of one text. */
export interface ClassifiedText {
  /** Describes the text to the user: "Selection, 214 characters". */
  readonly what: string;
  readonly readings: readonly ReflexReading[];
  readonly failures: Predictions['failures'];
  /** "92 ms · about $0.004" */
  readonly facts: string;
}

export function toClassifiedText(
  what: string,
  answer: CallResult<Predictions>,
  t: Translate,
): ClassifiedText {
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
  readonly icon: string;
  readonly description: string;
  readonly detail: string;
}

/** Quick pick items, notable results first. */
export function resultRows({ readings, failures }: ClassifiedText, t: Translate): ResultRow[] {
  const sorted = readings.toSorted((a, b) => rank(b) - rank(a));
  return [
    ...sorted.map(reading => {
      const icon = reading.isWarning ? 'warning' : reading.isNotable ? 'info' : 'dash';
      const [best] = reading.selected;
      return {
        label: withoutIcons(reading.reflex),
        icon: best && !reading.isNotable ? 'check' : icon,
        description: best
          ? withoutIcons(selectedLabelsText(reading))
          : t('– no label passed its threshold'),
        detail: withoutIcons(
          reading.labels.map(({ label, score }) => `${label} ${percent(score)}`).join('   '),
        ),
      };
    }),
    ...failures.map(({ model, message }) => ({
      label: withoutIcons(model),
      icon: 'error',
      description: t('failed'),
      detail: withoutIcons(message),
    })),
  ];
}

const rank = ({ isWarning, isNotable }: ReflexReading): number =>
  2 * Number(isWarning) + Number(isNotable);

/** A Markdown document with a table and a bar for each label. */
export function classificationReport(result: ClassifiedText, t: Translate): string {
  const { what, readings, failures, facts } = result;
  const parts = [
    `# ${t('Classification')}`,
    `${escapeMarkdown(what)} · ${facts}`,
    [
      `| ${t('Reflex')} | ${t('Selected')} |`,
      '| :-- | :-- |',
      ...readings.map(
        reading =>
          `| ${escapeMarkdown(reading.reflex)} | ${escapeMarkdown(selectedLabelsText(reading))} |`,
      ),
      ...failures.map(
        ({ model, message }) => `| ${escapeMarkdown(model)} | ${escapeMarkdown(message)} |`,
      ),
    ].join('\n'),
    ...readings.map(reading => labelsTable(reading, t)),
    t('– means that no label passed its threshold. That is not an error.'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const reportCells = 20;

function labelsTable({ reflex, labels, selected }: ReflexReading, t: Translate): string {
  const chosen = new Set(selected.map(({ label }) => label));
  return [
    `## ${escapeMarkdown(reflex)}`,
    '',
    `| ${t('Label')} | ${t('Score')} | |`,
    '| :-- | --: | :-- |',
    ...labels.map(
      ({ label, score }) =>
        `| ${escapeMarkdown(label)}${chosen.has(label) ? ' ✓' : ''} | ${percent(score)} | ${scoreBar(score, reportCells)} |`,
    ),
  ].join('\n');
}
