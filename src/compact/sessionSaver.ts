import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { CommandId } from '../platform/commands/contribute';
import { confirm } from '../platform/confirm';
import type { Host } from '../platform/host';
import { withProgress } from '../platform/progress';
import { abbreviateHome, machine } from './picker';
import { recallableLines } from './recall/recallableLines';
import { partLabels } from './receipt/messages';
import type { OpenReceipt } from './receipt/openReceipt';
import type { Receipt } from './receipt/receipt';
import { leftOutLines } from './receipt/receiptRecords';
import type { ReceiptView } from './receipt/receiptView';
import { withUserErrors } from './runCompaction';
import { editsOf, keptText } from './session/keptText';
import type { NewSession } from './sessions';
import type { Conversion } from './sessions/convert';
import { conversionFolder } from './sessions/sessionFiles';
import { type ChatSource, hasChangedOnDisk } from './source';
import { lineOf } from './worker/sessionLineIndex';
import type { WorkerClient } from './worker/workerClient';
import { changedFiles, removeSession, WriteRefused, writeSession } from './writeBack';

const { t } = vscode.l10n;

/** Writes compacted chats to files: under a chosen name, or as a session that the original tool can continue. */
export class SessionSaver {
  readonly #host: Host;
  readonly #worker: WorkerClient;
  readonly #view: ReceiptView;

  constructor(host: Host, worker: WorkerClient, view: ReceiptView) {
    this.#host = host;
    this.#worker = worker;
    this.#view = view;
  }

  async saveAs({ receipt, source }: OpenReceipt): Promise<void> {
    const { chat, lineIndex } = receipt;
    // A compressed session is saved as it is without that.
    const { name, ext } = path.parse(source.file.path.replace(/\.zst$/, ''));
    const own = chat.canWrite ? ext.slice(1) : '';
    const uri = await vscode.window.showSaveDialog({
      title: t('Save Compacted Chat'),
      defaultUri: vscode.Uri.joinPath(
        vscode.Uri.file(source.folder ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''),
        `${name}-compacted${own === '' ? '.md' : ext}`,
      ),
      filters: {
        ...(own === '' ? {} : { [chat.label]: [own] }),
        ...(own === 'md' ? {} : { Markdown: ['md'] }),
      },
    });
    if (!uri) return;
    if (await isSameFile(uri.fsPath, source.file.path)) {
      throw new UserError(t('The chat itself is not overwritten. Choose another name.'));
    }
    const isOwnFormat = chat.canWrite && (chat.isTranscript || path.extname(uri.path) === ext);
    const text = isOwnFormat
      ? (await this.#write(source, receipt, true)).files[0]?.text
      : keptText(chat, lineIndex, await recallableLines(this.#host, source, receipt), partLabels);
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text ?? ''));
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  async writeBack(open: OpenReceipt): Promise<void> {
    const { receipt, source } = open;
    const folder = this.#targetFolder(open, source.folder);
    if (!receipt.chat.canWrite) {
      throw new UserError(
        t(
          '{0}: a session cannot be written back. Continue it in another tool, copy it, or save it as Markdown.',
          receipt.chat.label,
        ),
        {
          title: t('Continue In…'),
          command: 'splice.compact.continueIn' satisfies CommandId,
        },
      );
    }
    if (folder === undefined) {
      throw new UserError(
        t('Only a chat that was read from a file can be written back. Save it instead.'),
      );
    }
    await this.#writeOnce(open, async () => {
      if (!(await this.#confirmStale(source))) return undefined;
      const session = await this.#write(source, receipt, false);
      return this.#writeFiles(open, folder, session);
    });
  }

  /** Writes nothing while a session of the same receipt is being written, and none after it. */
  async #writeOnce(open: OpenReceipt, write: () => Promise<NewSession | undefined>): Promise<void> {
    if (open.written) throw new UserError(t('It has already been written back. Undo that first.'));
    if (open.isWriting) return;
    open.isWriting = true;
    const session = await write().finally(() => (open.isWriting = false));
    if (session) await this.#notifyWritten(open, session);
  }

  /** What is left of the chat, as a new session of another tool about the open folder. */
  async continueIn(open: OpenReceipt): Promise<void> {
    await this.#writeOnce(open, async () => this.#continueIn(open));
  }

  async #continueIn(open: OpenReceipt): Promise<NewSession | undefined> {
    const { receipt, source } = open;
    const own = machine(this.#host);
    const { workspace: noted = '' } = receipt.chat;
    const workspace = own.workspaceFolder ?? (path.isAbsolute(noted) ? noted : undefined);
    if (workspace === undefined) {
      throw new UserError(t('Open the folder that the session is to be about first.'));
    }
    const picked = await vscode.window.showQuickPick(
      conversionTargets.map(([target, label]) => ({ label, target })),
      {
        title: t('Continue in Another Tool'),
        placeHolder: t(
          'What is left is written as a new session; calls that it has no tool for become text',
        ),
      },
    );
    if (!picked || !(await this.#confirmStale(source))) return undefined;
    const { target } = picked;
    const session = await this.#write(source, receipt, false, { target, workspace });
    const folder =
      (await conversionFolder(target, { ...own, workspaceFolder: workspace })) ??
      path.join(this.#host.context.globalStorageUri.fsPath, 'chats');
    return this.#writeFiles(open, folder, session);
  }

  async #writeFiles(open: OpenReceipt, folder: string, session: NewSession): Promise<NewSession> {
    open.written = await writeSession(folder, session).catch((error: unknown) => {
      if (!(error instanceof WriteRefused)) throw error;
      throw new UserError(
        error.reason === 'exists'
          ? t(
              '{0} already exists and is not overwritten. Save the chat under another name.',
              abbreviateHome(error.file),
            )
          : error.reason === 'index'
            ? t(
                '{0} is not a list that a session can be added to. Save the chat instead.',
                abbreviateHome(error.file),
              )
            : t(
                'The session would be written to {0}, which is outside its tool’s folder.',
                error.file,
              ),
      );
    });
    this.#view.refresh(open);
    return session;
  }

  /** VS Code overwrites foreign files in its own session folder; it and opencode take a session from any other one. */
  #targetFolder({ receipt }: OpenReceipt, folder: string | undefined): string | undefined {
    const { formatId } = receipt.chat;
    if (formatId !== 'vscodeSession' && (formatId !== 'opencode' || folder !== undefined)) {
      return folder;
    }
    return path.join(this.#host.context.globalStorageUri.fsPath, 'chats');
  }

  async #confirmStale(source: ChatSource): Promise<boolean> {
    if (!(await hasChangedOnDisk(source))) return true;
    return confirm(
      t('The chat has changed since it was read.'),
      t('Later messages would not be in the new session.'),
      t('Write Anyway'),
      t('Do Not Write'),
    );
  }

  async #write(
    source: ChatSource,
    receipt: Receipt,
    asCopy: boolean,
    conversion?: Conversion,
  ): Promise<NewSession> {
    const { chat, lineIndex } = receipt;
    const left = await recallableLines(this.#host, source, receipt);
    const edits = editsOf(chat, lineIndex, left);
    const request = {
      edits,
      asCopy,
      now: new Date(),
      erase: { lines: linesLeftOut(receipt), kept: keptText(chat, lineIndex, left, partLabels) },
      ...(conversion ? { conversion } : {}),
    };
    return withUserErrors(() =>
      withProgress(t('Writing {0}', source.title), signal =>
        this.#worker.write(source.file, request, signal),
      ),
    );
  }

  async #notifyWritten(open: OpenReceipt, session: NewSession): Promise<void> {
    const { continueBy } = session;
    const [first] = open.written?.files ?? [];
    const copy = t('Copy Command');
    const openChat = t('Open in Chat');
    const undo = t('Undo');
    const remove = t('Remove from the File Too…');
    // A command runs in the folder of the session, which need not be that of the file.
    const withPath = (text: string): string =>
      text.replace(session.files[0]?.path ?? '', () => quotedPath(first?.path ?? ''));
    const isImport = continueBy.shell?.includes(session.files[0]?.path ?? '\0') === true;
    const shell = isImport ? withPath(continueBy.shell ?? '') : continueBy.shell;
    const sentence = isImport ? withPath(continueBy.sentence) : continueBy.sentence;
    const held = leftOutLines(open.receipt).reduce((sum, one) => sum + one, 0);
    const isHeld = held > 0 && open.source.folder !== undefined;
    const said = [
      t('Written to {0}.', abbreviateHome(first?.path ?? '')),
      sentence,
      ...(isHeld ? [t('The original still has what you left out, in lines: {0}.', held)] : []),
    ].join(' ');
    const picked = await vscode.window.showInformationMessage(
      said,
      ...(shell === undefined ? [] : [copy]),
      ...(continueBy.command === undefined ? [] : [openChat]),
      ...(isHeld ? [remove] : []),
      undo,
    );
    if (picked === copy) {
      await vscode.env.clipboard.writeText(shell ?? '');
    } else if (picked === remove) {
      const uri = open.uri.toString();
      await vscode.commands.executeCommand(
        'splice.compact.removeFromFile' satisfies CommandId,
        uri,
        'leftOut',
      );
    } else if (picked === undo) {
      await this.#undoWrite(open);
    } else if (picked === openChat && continueBy.command !== undefined && first) {
      await vscode.commands.executeCommand(continueBy.command, {
        inputPath: vscode.Uri.file(first.path),
        target: 'chatViewPane',
      });
    }
  }

  async undoWriteBack(): Promise<void> {
    const { active } = this.#view;
    const open = active?.written ? active : this.#view.lastWritten;
    if (!open) throw new UserError(t('Nothing was written back.'));
    await this.#undoWrite(open);
  }

  async #undoWrite(open: OpenReceipt): Promise<void> {
    const { written } = open;
    if (!written) return;
    const [changed] = await changedFiles(written);
    const isAgreed =
      changed === undefined ||
      (await confirm(
        t('The new session has been continued.'),
        t('{0} was changed after it was written.', abbreviateHome(changed)),
        t('Delete Anyway'),
        t('Keep It'),
      ));
    if (!isAgreed) return;
    await removeSession(written);
    open.written = undefined;
    this.#view.refresh(open);
    void vscode.window.showInformationMessage(t('The new session is deleted.'));
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map(async file => stat(file, { bigint: true }).catch(() => undefined)),
  );
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

function linesLeftOut(receipt: Receipt): string[] {
  const isLeftOut = leftOutLines(receipt);
  return [...isLeftOut.keys()].flatMap(line =>
    isLeftOut[line] === 1 ? [lineOf(receipt.lineIndex, line)] : [],
  );
}

/** Names of tools, which are the same in all languages. */
const conversionTargets = [
  ['claudeCode', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['opencode', 'opencode'],
  ['vscodeExport', 'VS Code Chat'],
] as const;

function quotedPath(file: string): string {
  return /^[\w./:\\-]+$/.test(file) ? file : `"${file}"`;
}
