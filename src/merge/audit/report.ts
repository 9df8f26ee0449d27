import { type LineRange, nameOf } from '../result';

export type FindingKind =
  | 'droppedCode'
  | 'leakedMarker'
  | 'codeFence'
  | 'duplicatedBlock'
  | 'truncated'
  | 'unexplainedChange'
  | 'wrongPlace'
  | 'outsideSelection'
  | 'lineEndings'
  | 'finalNewline'
  | 'imbalance'
  | 'lostIndentation'
  | 'missingEdit';

/** Something in a merged text that the snippet does not explain. */
export interface Finding {
  kind: FindingKind;
  severity: 'error' | 'warning';
  message: string;
  /** 1-based, in the merged text. */
  line: number;
}

export interface AuditOptions {
  path?: string;
  /** 1-based, inclusive lines of the original outside of which nothing may change. */
  range?: LineRange;
}

/** Nobody reads more than that, and a wrecked file could yield one for each line. */
const MAX_FINDINGS = 50;

/** Gathers findings, each kind once per line. */
export class Report {
  readonly #findings: Finding[] = [];
  readonly #seen = new Set<string>();

  constructor(readonly height: number) {}

  get isEmpty(): boolean {
    return this.#findings.length === 0;
  }

  get sorted(): Finding[] {
    return this.#findings.sort((a, b) => a.line - b.line);
  }

  /** True when something was said of this row. */
  isTold(row: number): boolean {
    return this.#findings.some(({ line }) => line === row + 1);
  }

  /** Takes a 0-based row of the merged text. */
  error(kind: FindingKind, row: number, message: string): void {
    this.#add({ kind, severity: 'error', message, line: row + 1 });
  }

  warning(kind: FindingKind, row: number, message: string): void {
    this.#add({ kind, severity: 'warning', message, line: row + 1 });
  }

  #add(finding: Finding): void {
    const line = Math.max(1, Math.min(finding.line, this.height));
    const key = `${finding.kind} ${line}`;
    if (this.#seen.has(key) || this.#findings.length >= MAX_FINDINGS) {
      return;
    }
    this.#seen.add(key);
    this.#findings.push({ ...finding, line });
  }
}

/** "A line of app.ts is" or "3 lines of app.ts are". */
export function linesAre(count: number, options: AuditOptions): string {
  const name = nameOf(options);
  return count === 1 ? `A line of ${name} is` : `${count} lines of ${name} are`;
}
