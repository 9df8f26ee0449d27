import { cleanServerText } from '../base/format/serverText';
import { defaultReflexes } from '../contracts/defaultReflexes';
import { type Prediction } from '../service';

/** Number of chosen reflexes that the indicator asks; each one is a billed event. */
export const indicatorReflexes = 4;

const known = new Map(defaultReflexes.map(item => [item.name, item]));

interface ScoredLabel {
  readonly label: string;
  /** 0 to 1 */
  readonly score: number;
}

/** A prediction prepared for display: names are one line without invisible characters. */
export interface ReflexReading {
  readonly reflex: string;
  /** Best first; empty if no label passed its threshold. */
  readonly selected: readonly ScoredLabel[];
  /** All labels, best first. */
  readonly labels: readonly ScoredLabel[];
  readonly isMulti: boolean;
  /** A selected label deserves attention. */
  readonly isNotable: boolean;
  /** Notable and related to safety. */
  readonly isWarning: boolean;
}

export function readPrediction({ model, mode, classes }: Prediction): ReflexReading {
  const item = known.get(model);
  const labels = classes
    .map(({ label, score, isSelected }) => ({
      label: cleanServerText(label, maxLabelLength),
      score,
      isSelected,
      // An unknown reflex or label counts as notable because its meaning is not known.
      isNotable: !item || item.notable.includes(label) || !item.labels.includes(label),
      isKnown: item?.labels.includes(label) === true,
    }))
    .toSorted((a, b) => b.score - a.score);
  const selected = labels.filter(({ isSelected }) => isSelected);
  const notable = selected.filter(({ isNotable }) => isNotable);
  return {
    reflex: cleanServerText(model, maxLabelLength),
    selected: selected.map(readLabel),
    labels: labels.map(readLabel),
    isMulti: mode === 'multi_label',
    isNotable: notable.length > 0,
    isWarning: item?.isSafety === true && notable.some(({ isKnown }) => isKnown),
  };
}

const maxLabelLength = 60;
const readLabel = ({ label, score }: ScoredLabel): ScoredLabel => ({ label, score });

/** `93%`; 100% and 0% only if they are exact. */
export function percent(score: number): string {
  const shown = Math.round(score * 100);
  if (shown >= 100 && score < 1) return '99%';
  if (shown <= 0 && score > 0) return '1%';
  return `${Math.min(100, Math.max(0, shown))}%`;
}

const barCells = 5;

/** `▰▰▰▰▱`; completely filled only at 100%. */
export function scoreBar(score: number, cells = barCells): string {
  const full = Math.floor(Math.min(1, Math.max(0, score)) * cells);
  return '▰'.repeat(full) + '▱'.repeat(cells - full);
}

/** `–` if nothing is selected; the best label is not shown as if it were. */
export function selectedLabelsText({ selected }: ReflexReading): string {
  return selected.length === 0
    ? '–'
    : selected.map(({ label, score }) => `${label} ${percent(score)}`).join(', ');
}

/** A label that is clear without its reflex's name; `true` is not. */
export function shortName({ reflex: name, selected: [first] }: ReflexReading): string {
  const label = first?.label ?? '';
  if (!known.has(name)) return `${name}: ${label}`;
  return ['true', 'false'].includes(label) ? name : label;
}
