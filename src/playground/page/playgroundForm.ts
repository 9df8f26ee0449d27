import * as vscode from 'vscode';
import { parseJson } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import { type Draft, draftPlan, readDraft } from '../core/draft';
import { estimate } from '../core/estimate';
import { readPrompts, readSchemaFile } from '../core/promptFile';
import { type PromptRow, type RunPlan, runSteps } from '../core/run';
import { pickInputFile, readInputFile } from '../inputFiles';
import { estimateText } from '../price';
import type { KnownTargets } from '../targets';

const { t } = vscode.l10n;

interface FormParts {
  readonly targets: () => Promise<KnownTargets>;
  readonly post: (message: object) => void;
}

interface PromptFile {
  readonly name: string;
  readonly rows: readonly PromptRow[];
}

interface SchemaFile {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What the user fills in on the page, with the files that belong to it. */
export class PlaygroundForm {
  readonly #parts: FormParts;
  /** By their URI. */
  readonly #prompts = new Map<string, PromptFile>();
  readonly #schemas = new Map<string, SchemaFile>();
  /** Number of the latest update, which an earlier one that takes longer must not overwrite. */
  #turn = 0;

  constructor(parts: FormParts) {
    this.#parts = parts;
  }

  /** Fills the lists of the page. */
  async show(): Promise<void> {
    const { post, targets } = this.#parts;
    post(estimateMessage(t('Reading the models…')));
    try {
      const { options, reflexes } = await targets();
      post({
        kind: 'targets',
        options,
        reflexes: [...reflexes.keys()].map(name => ({ value: name, label: name })),
      });
    } catch (error) {
      post(estimateMessage(t('The models could not be read.')));
      throw error;
    }
  }

  async choosePrompts(): Promise<void> {
    const uri = await pickInputFile(t('File of Prompts'), [
      t('Prompts'),
      'jsonl',
      'ndjson',
      'txt',
      'md',
    ]);
    if (!uri) return;
    await this.#readPrompts(uri);
    this.#parts.post({ kind: 'file', field: 'file', uri: uri.toString() });
  }

  async chooseSchema(): Promise<void> {
    const uri = await pickInputFile(t('JSON Schema'), ['JSON', 'json']);
    if (!uri) return;
    await this.#readSchema(uri);
    this.#parts.post({ kind: 'file', field: 'schemaFile', uri: uri.toString() });
  }

  /** Shows what the form would cost, or what is missing. @param value the form as JSON */
  async update(value: string): Promise<void> {
    const turn = ++this.#turn;
    let message: object;
    try {
      const { prices } = await this.#parts.targets();
      const plan = await this.plan(value, { id: '', createdAt: 0, origin: '' });
      message = estimateMessage(estimateText(estimate(plan, runSteps(plan), prices)), true);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      message = estimateMessage(error.message);
    }
    if (turn === this.#turn) {
      this.#parts.post({ ...message, ...this.#fileTexts(readDraft(parseJson(value))) });
    }
  }

  /** @throws {UserError} that says what is missing, or what is wrong with a file. */
  async plan(
    value: string,
    identity: Pick<RunPlan, 'id' | 'createdAt' | 'origin'>,
  ): Promise<RunPlan> {
    const draft = readDraft(parseJson(value));
    const { options } = await this.#parts.targets();
    const prompts =
      draft.file === ''
        ? undefined
        : (this.#prompts.get(draft.file) ??
          (await this.#readPrompts(vscode.Uri.parse(draft.file))));
    const schema =
      draft.scoring !== 'schema' || draft.schemaFile === ''
        ? undefined
        : (this.#schemas.get(draft.schemaFile) ??
          (await this.#readSchema(vscode.Uri.parse(draft.schemaFile))));
    return draftPlan(
      draft,
      { options, rows: prompts?.rows, fileName: prompts?.name ?? '', schema: schema?.schema },
      identity,
      t,
    );
  }

  async #readPrompts(uri: vscode.Uri): Promise<PromptFile> {
    const { name, text } = await readInputFile(uri);
    const file = { name, rows: readPrompts(name, text, t) };
    this.#prompts.set(uri.toString(), file);
    return file;
  }

  async #readSchema(uri: vscode.Uri): Promise<SchemaFile> {
    const { name, text } = await readInputFile(uri);
    const file = { name, schema: readSchemaFile(name, text, t) };
    this.#schemas.set(uri.toString(), file);
    return file;
  }

  #fileTexts(draft: Draft) {
    const file = this.#prompts.get(draft.file);
    return {
      fileText:
        file === undefined
          ? ''
          : file.rows.length === 1
            ? t('{0}: 1 prompt', file.name)
            : t('{0}: {1} prompts', file.name, file.rows.length),
      schemaText: this.#schemas.get(draft.schemaFile)?.name ?? '',
    };
  }
}

const estimateMessage = (text: string, canSend = false) => ({
  kind: 'estimate',
  text,
  canSend,
  fileText: '',
  schemaText: '',
});
