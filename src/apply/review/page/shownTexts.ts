import { splitLines } from '../../../base/text/textLines';

/** Texts of a document that are remembered: what was given to it lately. */
const maxGiven = 4;

/**
 * What the documents of the page show, apart from what the user is typing there: an editor that holds unsaved text does
 * not take a new one, so what it saves may be based on an older text than the last.
 */
export class ShownTexts {
  readonly #documents = new Map<string, { given: string[]; base: string }>();

  /** The URIs of all documents that were given a text. */
  get uris(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** Call when a document is given a text, or has saved it. */
  gave(uri: string, text: string): void {
    const known = this.#documents.get(uri);
    if (!known) {
      this.#documents.set(uri, { given: [text], base: text });
      return;
    }
    known.given = [...known.given.filter(each => each !== text), text].slice(-maxGiven);
  }

  /** Call when a document has this text: if it was given to it, what is typed from now on is based on it. */
  shows(uri: string, text: string): void {
    const known = this.#documents.get(uri);
    if (known?.given.includes(plain(text))) known.base = plain(text);
  }

  /** Call when a document has saved a text. */
  saved(uri: string, text: string): void {
    this.gave(uri, plain(text));
    this.shows(uri, text);
  }

  /** The lines that the user saw before typing. */
  baseOf(uri: string): readonly string[] | undefined {
    const base = this.#documents.get(uri)?.base;
    return base === undefined ? undefined : splitLines(base);
  }

  forget(uri: string): void {
    this.#documents.delete(uri);
  }
}

/** VS Code may have other line ends than the text that it was given. */
const plain = (text: string): string => splitLines(text).join('\n');
