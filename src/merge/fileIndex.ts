import { type Balance, balanceOf, usesTags } from './brackets';
import { COST, WORTH } from './costs';
import { isFiller, type Line } from './lines';
import type { Section } from './sections';
import { SIMILAR, SimilarLines } from './similarity';

export interface Match {
  at: number;
  worth: number;
}

/** What the alignment asks about the original: where a line stands, what it is worth, bracket sums. */
export class FileIndex {
  readonly lines: readonly Line[];
  readonly #places = new Map<string, number[]>();
  readonly #similar: SimilarLines;
  readonly #tags: boolean;
  readonly #sums: Float64Array[];
  readonly #costs = new Map<Section, Float64Array>();
  readonly #nets = new Map<Section, Balance>();
  readonly #shown: ReadonlySet<string>;

  constructor(lines: readonly Line[], path: string, shown: ReadonlySet<string>) {
    this.lines = lines;
    this.#shown = shown;
    this.#tags = usesTags(path);
    this.#sums = Array.from({ length: 4 }, () => new Float64Array(lines.length + 1));
    for (const [at, line] of lines.entries()) {
      const places = this.#places.get(line.trimmed);
      if (places) {
        places.push(at);
      } else {
        this.#places.set(line.trimmed, [at]);
      }
      const balance = balanceOf(line.text, this.#tags);
      this.#sums.forEach((sum, kind) => {
        sum[at + 1] = (sum[at] ?? 0) + (balance[kind] ?? 0);
      });
    }
    this.#similar = new SimilarLines(lines);
  }

  countOf(trimmed: string): number {
    return this.#places.get(trimmed)?.length ?? 0;
  }

  /** Lines of the original that `line` may stand for, in file order. */
  matchesOf(line: Line): Match[] {
    const places = this.#places.get(line.trimmed) ?? [];
    if (line.trimmed === '') {
      return places.map(at => ({ at, worth: WORTH.blank }));
    }
    const filler = isFiller(line.trimmed);
    const worth = filler ? WORTH.filler : WORTH.line + WORTH.rare / Math.max(1, places.length);
    const matches = places.map(at => {
      const same = this.lines[at]?.indent === line.indent;
      return { at, worth: same ? worth : worth * (filler ? WORTH.movedFiller : WORTH.moved) };
    });
    if (!filler && places.length === 0) {
      for (const { at, ratio } of this.#similar.of(line.trimmed)) {
        const share = (ratio - SIMILAR) / (1 - SIMILAR);
        const value = WORTH.similarLow + share * (WORTH.similarHigh - WORTH.similarLow);
        const same = this.lines[at]?.indent === line.indent;
        // A line that the snippet shows as it is has not become another one.
        if (this.#shown.has(this.lines[at]?.trimmed ?? '')) {
          continue;
        }
        matches.push({ at, worth: value * (same ? 1 : 0.6) });
      }
      matches.sort((a, b) => a.at - b.at);
    }
    return matches;
  }

  /** What deleting each line of the original costs; lines shown elsewhere in the snippet moved. */
  deletionCosts(section: Section): Float64Array {
    let costs = this.#costs.get(section);
    if (!costs) {
      costs = Float64Array.from(this.lines, ({ trimmed }) =>
        trimmed === '' || this.#shown.has(trimmed) ? COST.deleteMovedLine : COST.deleteLine,
      );
      this.#costs.set(section, costs);
    }
    return costs;
  }

  /** How many brackets the section opens or closes more than the lines it would replace. */
  imbalance(section: Section, start: number, end: number): number {
    let net = this.#nets.get(section);
    if (!net) {
      const total = [0, 0, 0, 0];
      for (const line of section.lines) {
        balanceOf(line.text, this.#tags).forEach((count, kind) => {
          total[kind] = (total[kind] ?? 0) + count;
        });
      }
      net = [total[0] ?? 0, total[1] ?? 0, total[2] ?? 0, total[3] ?? 0];
      this.#nets.set(section, net);
    }
    let off = 0;
    this.#sums.forEach((sum, kind) => {
      off += Math.abs((net[kind] ?? 0) - ((sum[end] ?? 0) - (sum[start] ?? 0)));
    });
    return Math.min(off, 4);
  }
}
