import type { Page } from 'playwright-core';

export interface Spoken {
  role: string;
  name: string;
  /** `expanded`, `collapsed`, `selected`, `checked`, `pressed`, `disabled`. */
  states: string[];
  description: string;
  /** Role and name of the list, tree or input that points to it. */
  within?: string;
  value?: string;
}
/** What a screen reader reads of the element that has the focus; undefined where nothing has it. */
export function spoken(page: Page): Promise<Spoken | undefined>;
/** What is wrong with a label, one sentence each: no name, an icon, something twice, a wrong plural. */
export function faultsOf(label: { name: string; description?: string }): string[];
