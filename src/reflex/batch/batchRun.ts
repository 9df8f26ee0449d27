import type { OutputKind, TableFormat } from '../../base/table/tableFormat';
import type { BatchRunState } from '../../contracts/batchRuns';

/** Rows that were uploaded together, as one batch of the service. */
export interface BatchUpload {
  /** Index of the first row in the file, from 0. */
  readonly firstRow: number;
  /** Index after the last row. */
  readonly endRow: number;
  /** Number of rows that were sent, i.e. that have a text. */
  readonly sent: number;
  /** Digest of ids, reflexes and texts, so that an idempotency key is never reused for other rows. */
  readonly digest: string;
  /** Absent until the service has answered. */
  readonly batchId?: string | undefined;
  readonly status?: string | undefined;
  readonly completed?: number | undefined;
  readonly failed?: number | undefined;
}

/** Classification of one file; plain data, so that it can be stored. */
export interface BatchRun {
  readonly id: string;
  /** Path of the file. */
  readonly input: string;
  /** Size in bytes; a different size means that the file has changed. */
  readonly inputBytes: number;
  readonly format: TableFormat;
  /** Name of the column with the texts; '' for lines of text. */
  readonly column: string;
  readonly models: readonly string[];
  readonly output: OutputKind;
  /** Origin of the service that holds the batches. */
  readonly origin: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Rows of the whole file, with or without a text. */
  readonly rows: number;
  readonly state: BatchRunState;
  readonly uploads: readonly BatchUpload[];
  /** All rows have been uploaded. */
  readonly isUploaded: boolean;
  /** Why the run failed, shown to the user. */
  readonly problem?: string | undefined;
  /** Path of the results file. */
  readonly result?: string | undefined;
  /** Rows of the results file that have an error. */
  readonly failedRows?: number | undefined;
}

/** An unknown status is final if all rows are accounted for, or if its name says so. */
export function isUploadFinished({
  status = '',
  sent,
  completed = 0,
  failed = 0,
}: BatchUpload): boolean {
  if (status === 'completed') return true;
  if (status === 'queued' || status === 'in_progress') return false;
  return completed + failed >= sent || /fail|cancel|expire|error|abort/i.test(status);
}

export interface BatchProgress {
  /** Rows with a text that were sent. */
  readonly sent: number;
  readonly classified: number;
  readonly failed: number;
  readonly uploads: number;
}

export function batchProgress({ uploads }: BatchRun): BatchProgress {
  const sum = (count: (upload: BatchUpload) => number): number =>
    uploads.reduce((total, upload) => total + count(upload), 0);
  return {
    sent: sum(({ sent, batchId }) => (batchId === undefined ? 0 : sent)),
    classified: sum(({ completed = 0, failed = 0 }) => completed + failed),
    failed: sum(({ failed = 0 }) => failed),
    uploads: uploads.filter(({ batchId }) => batchId !== undefined).length,
  };
}

/** Whether the run resumes automatically after a reload. */
export function isActiveRun({ state }: BatchRun): boolean {
  return state === 'uploading' || state === 'following' || state === 'fetching';
}
