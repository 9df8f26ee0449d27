import type { Page } from 'playwright-core';

/** The expression, which matches also where a tail follows any character. */
export function withTails(expression: RegExp): RegExp;
/** Finds texts with tails, and reads them without, in every page of this process from now on. */
export function readWithoutTails(page: Page): void;
