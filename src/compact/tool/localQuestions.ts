import { createHash } from 'node:crypto';

/** More questions that were never answered are forgotten, the oldest first. */
const maxInputs = 200;

/**
 * Which questions said that a text stays on this machine, by what the tool was given. VS Code does not say which
 * question a run belongs to, so that of several with the same input, any that said so counts.
 */
export class LocalQuestions {
  readonly #counts = new Map<string, number>();

  add(input: unknown): void {
    const key = inputDigest(input);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.delete(key);
    this.#counts.set(key, count + 1);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > maxInputs && oldest !== undefined) this.#counts.delete(oldest);
  }

  /**
   * Whether a question with this input said so that is still open. One that was declined stays open, as VS Code
   * does not report it.
   */
  isOpen(input: unknown): boolean {
    return this.#counts.has(inputDigest(input));
  }

  /** Whether the question before a run said so; it is then answered. */
  take(input: unknown): boolean {
    const key = inputDigest(input);
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    return count > 0;
  }
}

/** The input may be a long text. */
function inputDigest(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('base64');
}
