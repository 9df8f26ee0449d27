import { english, type Sentence, type Translate, translated } from '../../base/sentence';
import type { LineInterval } from '../result';

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
  /** Translates the messages, which are in English otherwise. */
  t?: Translate;
}

/** Nobody reads more, and a broken file could yield one per line. */
const maxFindings = 50;

/** Collects findings, each kind once per line. */
export class AuditReport {
  readonly #findings: AuditFinding[] = [];
  readonly #seen = new Set<string>();

  constructor(
    readonly height: number,
    readonly t: Translate = english,
  ) {}

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
  error(kind: FindingKind, row: number, words: Sentence): void {
    this.#add(kind, 'error', row, words);
  }

  warning(kind: FindingKind, row: number, words: Sentence): void {
    this.#add(kind, 'warning', row, words);
  }

  #add(kind: FindingKind, severity: AuditFinding['severity'], row: number, words: Sentence): void {
    const line = Math.max(1, Math.min(row + 1, this.height));
    const key = `${kind} ${line}`;
    if (this.#seen.has(key) || this.#findings.length >= maxFindings) {
      return;
    }
    this.#seen.add(key);
    this.#findings.push({ kind, severity, message: translated(words, this.t), line });
  }
}
