import { split, tokenOf } from './lines';

const common = ['}\n', '\n', '{\n', '  });\n'];

/** Everybody who changes texts; each line that they write is new. */
export class Writers {
  readonly #random: () => number;
  #number = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  pick(count: number): number {
    return Math.floor(this.#random() * count);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  oneOf<T>(list: readonly T[]): T | undefined {
    return list[this.pick(list.length)];
  }

  some<T>(list: readonly T[]): T[] {
    const probability = this.#random();
    const chosen = list.filter(() => this.chance(probability));
    const one = this.oneOf(list);
    return chosen.length > 0 || one === undefined ? chosen : [one];
  }

  line(who: string): string {
    return this.chance(0.2) && who !== 'user'
      ? (common[this.pick(common.length)] ?? '')
      : `${this.chance(0.3) ? '  ' : ''}${who} ${this.#number++}\n`;
  }

  text(who: string, maxLines = 14): string {
    const lines = Array.from({ length: this.pick(maxLines) + 1 }, () => this.line(who));
    return this.#withEnd(lines).join('');
  }

  /** Some lines replaced, removed or added; nothing moves. */
  edited(who: string, text: string, maxEdits = 3): string {
    let lines = split(text);
    const edits = this.pick(maxEdits) + 1;
    for (let n = 0; n < edits; n++) {
      const at = this.pick(lines.length + 1);
      const removed = this.chance(0.5) ? this.pick(3) : 0;
      const added = Array.from({ length: removed === 0 ? this.pick(3) + 1 : this.pick(3) }, () =>
        this.line(who),
      );
      lines = lines.toSpliced(at, removed, ...added);
    }
    return this.#withEnd(lines).join('');
  }

  /** All lines, or some, with or without a semicolon. */
  formatted(text: string): string {
    const [end, isPartial] = [this.chance(0.5) ? ';' : '', this.chance(0.5)];
    return split(text)
      .map(line =>
        tokenOf(line) === undefined || (isPartial && this.chance(0.7))
          ? line
          : line.replace(/;?(\n?)$/, `${end}$1`),
      )
      .join('');
  }

  /** Only the last line may lack its end. */
  #withEnd(lines: readonly string[]): string[] {
    const ended = lines.map(line => (line.endsWith('\n') ? line : `${line}\n`));
    const last = ended.at(-1);
    if (last === undefined || last === '\n' || !this.chance(0.15)) return ended;
    return [...ended.slice(0, -1), last.slice(0, -1)];
  }
}
