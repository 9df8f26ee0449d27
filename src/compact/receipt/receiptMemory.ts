import { stat } from 'node:fs/promises';
import type * as vscode from 'vscode';
import type { OpenReceipt } from './openReceipt';
import {
  maxReceiptRecords,
  type ReceiptRecord,
  readReceiptRecords,
  recordOfReceipt,
} from './receiptRecords';

const key = 'splice.compact.receipts';

/** Remembers the open receipts of files, so that their tabs are whole again after a reload. */
export class ReceiptMemory {
  readonly #state: vscode.Memento;
  readonly #records: Map<string, ReceiptRecord>;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#records = new Map(readReceiptRecords(state.get(key)));
  }

  get addresses(): readonly string[] {
    return [...this.#records.keys()];
  }

  get(uri: vscode.Uri): ReceiptRecord | undefined {
    return this.#records.get(uri.toString());
  }

  /** A chat that is in no file would have to be copied, and is not remembered. */
  remember({ uri, receipt, plan, source }: OpenReceipt): void {
    const { file, title, folder, modified } = source;
    const about = {
      file: file.path,
      title,
      modified: modified ?? 0,
      ...(file.includesEarlier ? { includesEarlier: true } : {}),
    };
    const isInFile = folder !== undefined && modified !== undefined;
    const record = isInFile ? recordOfReceipt(receipt, plan, about) : undefined;
    this.#records.delete(uri.toString());
    if (record) this.#records.set(uri.toString(), record);
    const [oldest] = this.#records.keys();
    if (oldest !== undefined && this.#records.size > maxReceiptRecords)
      this.#records.delete(oldest);
    this.#store();
  }

  forget(uri: vscode.Uri): void {
    if (this.#records.delete(uri.toString())) this.#store();
  }

  #store(): void {
    void this.#state.update(key, Object.fromEntries(this.#records));
  }
}

/** Whether the file is still as it was when the receipt was made. */
export async function isUnchanged({ file, modified }: ReceiptRecord): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found?.mtimeMs === modified;
}
