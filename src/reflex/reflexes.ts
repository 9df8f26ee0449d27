import type { Prediction } from '../service/wire/reflex';
import { cleanServerText } from '../service/errors';

/** A classifier, as people choose it. */
export interface Reflex {
  readonly name: string;
  /** What it catches, in English; for an own one what is known about its training. */
  readonly catches: string;
  readonly labels: readonly string[];
  /** Labels that deserve attention without being asked for. */
  readonly notable: readonly string[];
  /** A notable label of it may colour the status bar. */
  readonly isSafety: boolean;
}

const reflex = (
  name: string,
  labels: readonly string[],
  catches: string,
  notable: readonly string[] = [],
  isSafety = false,
): Reflex => ({ name, labels, catches, notable, isSafety });

/** Service document, Endpoints, "Default reflexes". Those without notable labels are scales or topics. */
export const defaultReflexes: readonly Reflex[] = [
  reflex(
    'jailbreak',
    ['benign', 'jailbreak'],
    'prompt injection and jailbreaks',
    ['jailbreak'],
    true,
  ),
  reflex('guardrail', ['true', 'false'], 'harassment or NSFW content', ['true'], true),
  reflex(
    'leaked-thinking',
    ['clean', 'leaked'],
    'agent leaking internal thinking',
    ['leaked'],
    true,
  ),
  reflex('stuck-in-a-loop', ['progressing', 'looping'], 'agent blocked', ['looping']),
  reflex('incomplete-thought', ['complete', 'incomplete'], 'truncated user prompt', ['incomplete']),
  reflex('user-frustrated', ['frustrated', 'not'], 'user frustrated', ['frustrated']),
  reflex('user-joy', ['joy', 'not_joy'], 'user delighted'),
  reflex('ambiguity', ['low', 'med', 'high'], 'how underspecified a prompt is'),
  reflex('difficulty', ['easy', 'medium', 'hard'], 'prompt difficulty'),
  reflex('domain', ['general', 'summary', 'coding', 'design', 'data'], 'topic (several may hold)'),
  reflex('health-emergency', ['emergency', 'non-emergency'], 'urgent message', ['emergency']),
];

/** Chosen before the user chooses. */
export const firstChoice: readonly string[] = [
  'jailbreak',
  'guardrail',
  'incomplete-thought',
  'user-frustrated',
];

/** How many of the chosen ones the indicator asks: each is an event that is paid for. */
export const indicatorReflexes = 4;

const known = new Map(defaultReflexes.map(item => [item.name, item]));

export interface ReadLabel {
  readonly label: string;
  /** 0 to 1 */
  readonly score: number;
}

/** A prediction, ready to be shown: names are one line without invisible characters. */
export interface Reading {
  readonly reflex: string;
  /** Best first; empty when the classifier is sure of nothing. */
  readonly selected: readonly ReadLabel[];
  /** All labels, best first. */
  readonly labels: readonly ReadLabel[];
  readonly isMulti: boolean;
  /** Shown without being asked for. */
  readonly isNotable: boolean;
  /** Notable, and about safety. */
  readonly isWarning: boolean;
}

export function readPrediction({ model, mode, classes }: Prediction): Reading {
  const item = known.get(model);
  const labels = classes
    .map(({ label, score, isSelected }) => ({
      label: cleanServerText(label, longestLabel),
      score,
      isSelected,
      // An unknown reflex or label is shown as it is: nobody else knows what it means.
      isNotable: !item || item.notable.includes(label) || !item.labels.includes(label),
      isKnown: item?.labels.includes(label) === true,
    }))
    .toSorted((a, b) => b.score - a.score);
  const selected = labels.filter(({ isSelected }) => isSelected);
  const notable = selected.filter(({ isNotable }) => isNotable);
  return {
    reflex: cleanServerText(model, longestLabel),
    selected: selected.map(readLabel),
    labels: labels.map(readLabel),
    isMulti: mode === 'multi_label',
    isNotable: notable.length > 0,
    isWarning: item?.isSafety === true && notable.some(({ isKnown }) => isKnown),
  };
}

const longestLabel = 60;
const readLabel = ({ label, score }: ReadLabel): ReadLabel => ({ label, score });

/** `93%`; 100% and 0% only when they are. */
export function percent(score: number): string {
  const shown = Math.round(score * 100);
  if (shown >= 100 && score < 1) return '99%';
  if (shown <= 0 && score > 0) return '1%';
  return `${Math.min(100, Math.max(0, shown))}%`;
}

const barCells = 5;

/** `▰▰▰▰▱`; full only at 100%. */
export function bar(score: number, cells = barCells): string {
  const full = Math.floor(Math.min(1, Math.max(0, score)) * cells);
  return '▰'.repeat(full) + '▱'.repeat(cells - full);
}

/** `–` when nothing is selected: never the best one, as if it were. */
export function selectedText({ selected }: Reading): string {
  return selected.length === 0
    ? '–'
    : selected.map(({ label, score }) => `${label} ${percent(score)}`).join(', ');
}

/** A label that says something without its reflex; `true` does not. */
export function shortName({ reflex: name, selected: [first] }: Reading): string {
  const label = first?.label ?? '';
  if (!known.has(name)) return `${name}: ${label}`;
  return ['true', 'false'].includes(label) ? name : label;
}

/** For labels of the status bar and of lists, where `$(name)` would be an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
