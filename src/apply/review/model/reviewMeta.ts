import { isRecord } from '../../../base/typeGuards';
import type { MergeFinding } from '../../changeset/engine';
import type { Author } from '../../instruct/runEdit';
import {
  type ChangeSetRef,
  type FileOperation,
  readChangeSetRef,
  readFileOperation,
} from './fileOperation';

/** What the user applied, or what was done with an entry of the history. */
export const applySources = [
  'clipboard',
  'selection',
  'file',
  'drop',
  'chat',
  'tool',
  'instruction',
  'again',
  'undo',
] as const;
export type ApplySource = (typeof applySources)[number];

/** Where an edit came from, for the history. */
export interface Provenance {
  readonly source?: ApplySource;
  /** Id of the answer's stored text. */
  readonly answer?: string;
  /** Id of the review that this one opens again or undoes. */
  readonly of?: string;
}

/** The origin of a proposed text, shown in the review and stored for merging again. */
export interface Origin extends Provenance {
  readonly engine: 'local' | 'service';
  readonly model?: string;
  /** Duration of the merge in milliseconds. */
  readonly ms: number;
  readonly findings: readonly MergeFinding[];
  /** The chat model that wrote the edit, when it was made from an instruction. */
  readonly author?: Author;
  /** The snippet, for merging again with the service. */
  readonly update?: string;
}

/** The data of a review that is stored beside its changes. */
export interface ReviewMeta {
  readonly uri: string;
  readonly languageId: string;
  readonly createdAt: number;
  readonly origin: Origin;
  /** Absent for a review that only changes lines. */
  readonly operation?: FileOperation;
  readonly changeSet?: ChangeSetRef;
}

/** Undefined for invalid data. */
export function readMeta(json: unknown): ReviewMeta | undefined {
  if (!isRecord(json)) return undefined;
  const { uri, languageId, createdAt } = json;
  const origin = readOrigin(json['origin']);
  if (typeof uri !== 'string' || typeof languageId !== 'string') return undefined;
  if (typeof createdAt !== 'number' || !origin) return undefined;
  const operation = readFileOperation(json['operation']);
  // Without its operation, a stored deletion would only empty the file.
  if (json['operation'] !== undefined && !operation) return undefined;
  const changeSet = readChangeSetRef(json['changeSet']);
  return {
    uri,
    languageId,
    createdAt,
    origin,
    ...(operation && { operation }),
    ...(changeSet && { changeSet }),
  };
}

function readOrigin(json: unknown): Origin | undefined {
  if (!isRecord(json)) return undefined;
  const { engine, model, ms, findings, update } = json;
  if ((engine !== 'local' && engine !== 'service') || typeof ms !== 'number') return undefined;
  return {
    engine,
    ms,
    findings: Array.isArray(findings) ? findings.filter(isFinding) : [],
    ...(typeof model === 'string' && { model }),
    ...(typeof update === 'string' && { update }),
    ...readAuthor(json['author']),
    ...readProvenance(json),
  };
}

function readProvenance({ source, answer, of }: Record<string, unknown>): Provenance {
  const known = applySources.find(each => each === source);
  return {
    ...(known && { source: known }),
    ...(typeof answer === 'string' && { answer }),
    ...(typeof of === 'string' && { of }),
  };
}

function readAuthor(json: unknown): Pick<Origin, 'author'> {
  if (!isRecord(json) || typeof json['model'] !== 'string' || typeof json['ms'] !== 'number') {
    return {};
  }
  const { model, ms, cost } = json;
  const usd = isRecord(cost) && typeof cost['usd'] === 'number' ? cost['usd'] : undefined;
  const isExact = isRecord(cost) && cost['isExact'] === true;
  return { author: { model, ms, ...(usd !== undefined && { cost: { usd, isExact } }) } };
}

function isFinding(value: unknown): value is MergeFinding {
  return (
    isRecord(value) &&
    typeof value['kind'] === 'string' &&
    (value['severity'] === 'error' || value['severity'] === 'warning') &&
    typeof value['message'] === 'string' &&
    typeof value['line'] === 'number'
  );
}
