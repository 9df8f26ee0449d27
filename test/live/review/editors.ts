import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenTexts, RootTracker } from '../../../src/apply/external/core/tracker';

interface Document {
  text: string;
  isDirty: boolean;
  /** The text that is on disk, as far as the editor knows. */
  textWhenClean: string;
}

/** Editors that behave as VS Code's: a clean document follows its file, a document with unsaved edits does not. */
export class Editors implements OpenTexts {
  readonly #project: string;
  readonly #documents = new Map<string, Document>();
  #tracker: RootTracker | undefined;
  /** Saves that the tracker itself caused. */
  #saves: Promise<unknown> = Promise.resolve();

  constructor(project: string) {
    this.#project = project;
  }

  connect(tracker: RootTracker): void {
    this.#tracker = tracker;
  }

  get(name: string): { readonly text: string; readonly isDirty: boolean } | undefined {
    return this.#documents.get(name);
  }

  async open(name: string): Promise<void> {
    const text = this.#onDisk(name);
    this.#documents.set(name, { text, isDirty: false, textWhenClean: text });
    await this.#tracker?.loaded(name, text);
  }

  type(name: string, edit: (text: string) => string): void {
    const document = this.#document(name);
    document.text = edit(document.text);
    document.isDirty = true;
  }

  async save(name: string): Promise<void> {
    const document = this.#document(name);
    const { textWhenClean, text } = document;
    writeFileSync(path.join(this.#project, name), text);
    document.isDirty = false;
    document.textWhenClean = text;
    await this.#tracker?.saved(name, textWhenClean, text);
  }

  /** What the watcher of the editor does: clean documents are loaded again. */
  async reload(): Promise<void> {
    for (const [name, document] of this.#documents) {
      if (document.isDirty || this.#onDisk(name) === document.text) continue;
      await this.open(name);
    }
  }

  async edit(name: string, before: string, after: string): Promise<'done' | 'changed'> {
    const document = this.#document(name);
    if (document.text !== before) return 'changed';
    document.text = after;
    if (!document.isDirty) {
      writeFileSync(path.join(this.#project, name), after);
      document.textWhenClean = after;
      const saved = this.#tracker?.saved(name, before, after);
      this.#saves = Promise.all([this.#saves, saved]);
    }
    return 'done';
  }

  async settled(): Promise<void> {
    await this.#saves;
  }

  #document(name: string): Document {
    const document = this.#documents.get(name);
    if (!document) throw new Error(`${name} is not open`);
    return document;
  }

  /** As an editor shows it, without byte order mark. */
  #onDisk(name: string): string {
    return readFileSync(path.join(this.#project, name), 'utf8').replace(/^\uFEFF/, '');
  }
}
