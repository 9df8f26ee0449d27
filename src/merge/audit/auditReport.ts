import { displayName, type LineInterval } from '../result';

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
  | 'syntax'
  | 'lostIndentation'
  | 'missingEdit'
  | 'repaired'
  | 'invalidCharacter';

/** Something in the merged text that the snippet does not explain. */
export interface AuditFinding {
  kind: FindingKind;
  severity: 'error' | 'warning';
  message: string;
  /** 1-based, in the merged text. */
  line: number;
}

export interface AuditOptions {
  path?: string;
  /** Lines of the original outside which nothing may change. */
  range?: LineInterval;
}

/** Nobody reads more, and a broken file could yield one per line. */
const maxFindings = 50;

/** Collects findings, each kind once per line. */
export class AuditReport {
  readonly #findings: AuditFinding[] = [];
  readonly #seen = new Set<string>();

  constructor(readonly height: number) {}

  get isEmpty(): boolean {
    return this.#findings.length === 0;
  }

  get sorted(): AuditFinding[] {
    return this.#findings.sort((a, b) => a.line - b.line);
  }

  /** Takes a 0-based row of the merged text. */
  hasFindingAt(row: number): boolean {
    return this.#findings.some(({ line }) => line === row + 1);
  }

  /** Takes a 0-based row of the merged text. */
  error(kind: FindingKind, row: number, message: string): void {
    this.#add({ kind, severity: 'error', message, line: row + 1 });
  }

  warning(kind: FindingKind, row: number, message: string): void {
    this.#add({ kind, severity: 'warning', message, line: row + 1 });
  }

  #add(finding: AuditFinding): void {
    const line = Math.max(1, Math.min(finding.line, this.height));
    const key = `${finding.kind} ${line}`;
    if (this.#seen.has(key) || this.#findings.length >= maxFindings) {
      return;
    }
    this.#seen.add(key);
    this.#findings.push({ ...finding, line });
  }
}

/** "A line of app.ts is" or "3 lines of app.ts are". */
export function linesAre(count: number, options: AuditOptions): string {
  const name = displayName(options);
  return count === 1 ? `A line of ${name} is` : `${count} lines of ${name} are`;
}
