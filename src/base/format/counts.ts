/** Things by number, in the singular and the plural. */

import type { Translate } from '../sentence';

/** @param shown the number as it is written; its digits where it is left out */
type CountText = (count: number, t: Translate, shown?: string) => string;

export const changesText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 change' : '{0} changes', shown);

export const filesText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 file' : '{0} files', shown);

export const linesText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 line' : '{0} lines', shown);

export const charactersText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 character' : '{0} characters', shown);

export const callsText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 call' : '{0} calls', shown);

export const eventsText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 event' : '{0} events', shown);

export const errorsText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 error' : '{0} errors', shown);

export const warningsText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 warning' : '{0} warnings', shown);

export const modelsText: CountText = (count, t, shown = `${count}`) =>
  t(count === 1 ? '1 model' : '{0} models', shown);
