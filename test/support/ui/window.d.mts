import type { Page } from 'playwright-core';

export interface WindowOptions {
  /** The user's settings. */
  settings?: Record<string, unknown>;
  /** Workspace files by path, over those of test/fixtures/sample. */
  files?: Record<string, string>;
  /** Variables of the extension host. */
  env?: Record<string, string>;
  /** Folders of test/fixtures with more extensions. */
  extensions?: string[];
  /** Files of the packaged extension by path, over its own or added to them. */
  extensionFiles?: Record<string, string>;
  /** The display language; English when left out. */
  language?: string;
}
export interface Window {
  page: Page;
  /** What the page printed. */
  log: string[];
  workspace: string;
  /** Another window on the same folder, which is closed with this one. */
  openAgain: () => Promise<Pick<Window, 'page' | 'log'>>;
  dispose: () => Promise<void>;
}
/** ms that a wait for the page may take. */
export const patience: number;
/** Where pictures go. */
export const pictures: string;
export function openWindow(options?: WindowOptions): Promise<Window>;
/** A window on a server that runs already. */
export function visitWindow(url: string): Promise<Omit<Window, 'workspace' | 'openAgain'>>;
/** By the page, as a user's copy. */
export function setClipboard(page: Page, text: string): Promise<void>;
