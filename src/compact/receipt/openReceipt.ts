import type * as vscode from 'vscode';
import type { ChatSource } from '../source';
import type { CompactPlan } from '../worker/engine';
import type { WrittenSession } from '../writeBack';
import type { Receipt } from './receipt';

/** A receipt that is open in an editor. */
export interface OpenReceipt {
  readonly uri: vscode.Uri;
  readonly source: ChatSource;
  readonly plan: CompactPlan;
  readonly receipt: Receipt;
  written?: WrittenSession | undefined;
  /** A session is being written, so that another one has to wait. */
  isWriting?: boolean;
}
