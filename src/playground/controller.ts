import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from '../base/async/clock';
import { lazy } from '../base/async/lazy';
import { UserError } from '../base/userError';
import { confirm } from '../platform/confirm';
import { DisposableStore } from '../platform/disposables';
import { isUnsent } from '../platform/egress/gate';
import type { GatedClient } from '../platform/egress/gatedClient';
import type { Host } from '../platform/host';
import { playgroundPanel } from '../platform/ids';
import { withProgress } from '../platform/progress';
import { onServiceChange } from '../platform/serviceChange';
import { settings } from '../platform/settings';
import { untrusted } from '../platform/trust';
import { WebviewTab } from '../platform/webview/webviewTab';
import { adviceFor } from '../service';
import { doubtfulSteps, openSteps, type RunPlan, type RunStep, runSteps } from './core/run';
import { prepareEvaluation } from './evaluation';
import { AnswerDocuments } from './page/answerDocuments';
import { PlaygroundForm } from './page/playgroundForm';
import { playgroundPage } from './page/playgroundPage';
import { runContent } from './page/runContent';
import { type PlaygroundClient, performStep } from './performStep';
import { PlaygroundRun } from './playgroundRun';
import { agreedPrice, endText } from './price';
import { RunStore } from './runStore';
import { saveRun } from './saveRun';
import { type KnownTargets, readKnownTargets, type TargetsClient } from './targets';

const { t } = vscode.l10n;

/** Shorter than the eye notices, in milliseconds. */
const refreshMs = 200;

export type PlaygroundServices = PlaygroundClient & TargetsClient & Pick<GatedClient, 'obstacle'>;

export function createPlayground(host: Host, client: PlaygroundServices): PlaygroundController {
  const controller = new PlaygroundController(host, client);
  host.context.subscriptions.push(controller);
  return controller;
}

/** The page, and the runs that it shows. One run is sent at a time. */
export class PlaygroundController implements vscode.Disposable {
  readonly #host: Host;
  readonly #client: PlaygroundServices;
  readonly #store = new DisposableStore();
  readonly #runs: RunStore;
  readonly #answers: AnswerDocuments;
  readonly #form: PlaygroundForm;
  #targets: () => Promise<KnownTargets>;
  #tab: WebviewTab | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The run that is shown; the only one that can be under way. */
  #run: PlaygroundRun | undefined;
  #note: string | undefined;
  #heads: { readonly value: string; readonly label: string }[] = [];

  constructor(host: Host, client: PlaygroundServices) {
    this.#host = host;
    this.#client = client;
    const { storageUri, globalStorageUri } = host.context;
    this.#runs = new RunStore(
      vscode.Uri.joinPath(storageUri ?? globalStorageUri, 'playground').fsPath,
    );
    this.#answers = this.#store.add(new AnswerDocuments());
    this.#targets = this.#lazyTargets();
    this.#form = new PlaygroundForm({
      targets: async () => this.#targets(),
      post: message => this.#tab?.post(message),
    });
    // Another address or key has other models.
    this.#store.add(
      onServiceChange(host, () => {
        this.#targets = this.#lazyTargets();
        if (this.#tab?.isVisible) host.quietly(async () => this.#form.show())();
      }),
    );
  }

  async open(restored?: vscode.WebviewPanel): Promise<void> {
    if (this.#tab && !restored) return this.#tab.show();
    this.#tab?.dispose();
    const tab = new WebviewTab(this.#host, {
      viewType: playgroundPanel,
      title: t('Splice Playground'),
      page: playgroundPage,
      act: async (kind, value) => this.#act(kind, value),
      content: async () => {
        if (!this.#run) await this.#loadLatest();
        return this.#content();
      },
      onClose: () => {
        if (this.#tab === tab) this.#tab = undefined;
      },
      restored,
    });
    this.#tab = tab;
  }

  /** @param file URI from the Explorer; the user is asked if it is missing. */
  async evaluate(file?: unknown): Promise<void> {
    await this.#checkReady();
    const { reflexes } = await withProgress(t('Reading the reflexes'), async () => this.#targets());
    const prepared = await prepareEvaluation(
      file instanceof vscode.Uri ? file : undefined,
      reflexes,
      settings.origin,
    );
    if (prepared) await this.#startPlan({ ...prepared, ...newId() });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#run?.cancel();
    this.#store.dispose();
    this.#tab?.dispose();
  }

  #lazyTargets(): () => Promise<KnownTargets> {
    return lazy(async () => readKnownTargets(this.#client, AbortSignal.timeout(60_000), t));
  }

  async #checkReady(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      throw untrusted(t('In Restricted Mode nothing is sent to the service.'));
    }
    const obstacle = await this.#client.obstacle();
    if (obstacle) throw obstacle;
    if (this.#run?.isRunning) {
      await this.open();
      throw new UserError(t('A run is under way. Cancel it, or wait until it has ended.'));
    }
  }

  async #loadLatest(): Promise<void> {
    await this.#readHeads();
    const [latest] = this.#heads;
    if (latest) await this.#load(latest.value);
  }

  async #readHeads(): Promise<void> {
    this.#heads = (await this.#runs.heads()).map(({ id, createdAt, title }) => ({
      value: id,
      label: `${new Date(createdAt).toLocaleString(vscode.env.language)} · ${title}`,
    }));
  }

  async #start(draft: string): Promise<void> {
    await this.#checkReady();
    const plan = await this.#form.plan(draft, { ...newId(), origin: settings.origin });
    await this.#startPlan(plan);
  }

  async #startPlan(plan: RunPlan): Promise<void> {
    const { prices } = await this.#targets();
    const agreed = await agreedPrice(plan, runSteps(plan), prices);
    if (agreed === undefined) return;
    await this.#runs.create(plan);
    if (!(await this.#runs.claim(plan.id))) return;
    try {
      const run = await this.#load(plan.id);
      await this.#readHeads();
      await this.open();
      if (run) await this.#send(run, agreed);
    } finally {
      await this.#runs.release(plan.id);
    }
  }

  /** Sends what is left of the run that is shown, or some calls once more. */
  async #resume(choose: (run: PlaygroundRun) => readonly RunStep[]): Promise<void> {
    await this.#checkReady();
    const { plan } = this.#run ?? {};
    if (!plan) return;
    if (plan.origin !== settings.origin) {
      throw new UserError(t('This run belongs to the service at {0}.', plan.origin));
    }
    if (!(await this.#runs.claim(plan.id))) {
      throw new UserError(t('Another window is sending the calls of this run.'));
    }
    try {
      // Another window may have sent some meanwhile.
      const run = await this.#load(plan.id);
      const steps = run && choose(run);
      if (!run || !steps || steps.length === 0) return;
      const agreed = await agreedPrice(plan, steps, (await this.#targets()).prices);
      if (agreed !== undefined) await this.#send(run, agreed, steps);
    } finally {
      await this.#runs.release(plan.id);
      this.#post();
    }
  }

  async #send(run: PlaygroundRun, agreedUsd: number, steps?: readonly RunStep[]): Promise<void> {
    this.#note = undefined;
    this.#post();
    const { prices } = await this.#targets();
    const end = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Playground') },
      async () => run.send(agreedUsd, prices, steps),
    );
    this.#note = endText(end, agreedUsd);
    this.#post();
    // Nobody has to answer it for the run to end.
    if (!this.#tab?.isVisible) this.#host.quietly(async () => this.#notify(run))();
  }

  async #notify(run: PlaygroundRun): Promise<void> {
    const open = t('Open Playground');
    const { status } = runContent(run);
    const picked = await vscode.window.showInformationMessage(t('Playground: {0}', status), open);
    if (picked === open) await this.open();
  }

  async #load(id: string): Promise<PlaygroundRun | undefined> {
    const stored = await this.#runs.read(id);
    if (!stored) return undefined;
    const journal = await this.#runs.journal(id);
    this.#note = undefined;
    return (this.#run = new PlaygroundRun({
      ...stored,
      journal,
      perform: async (step, states, signal) => {
        const { candidates } = await this.#targets();
        const context = { client: this.#client, clock: systemClock, candidates, t };
        return performStep(context, stored.plan, states, step, signal);
      },
      isUnsent,
      messageOf: error => adviceFor(error, t).message,
      onChange: () => this.#postSoon(),
    }));
  }

  async #show(id: string): Promise<void> {
    if (id !== this.#run?.plan.id && !this.#run?.isRunning) await this.#load(id);
    this.#post();
  }

  /** Handles a message of the page. */
  async #act(act: string, at: string): Promise<void> {
    if (act === 'form') return this.#form.show();
    if (act === 'draft') return this.#form.update(at);
    if (act === 'chooseFile') return this.#form.choosePrompts();
    if (act === 'chooseSchema') return this.#form.chooseSchema();
    if (act === 'start') return this.#start(at);
    if (act === 'run') return this.#show(at);
    const run = this.#run;
    if (run) await this.#actOn(run, act, at);
  }

  /** Handles a button of the results. */
  async #actOn(run: PlaygroundRun, act: string, at: string): Promise<void> {
    if (act === 'cancel') run.cancel();
    if (act === 'resume') await this.#resume(({ plan, states }) => openSteps(plan, states));
    if (act === 'again') {
      await this.#resume(({ plan, states }) =>
        doubtfulSteps(plan, states).filter(({ id }) => at === '' || id === at),
      );
    }
    if (act === 'open') await this.#answers.open(run, at);
    if (act === 'compare') await this.#answers.compare(run, Number(at));
    if (act === 'save') await saveRun(run);
    if (act === 'delete' && !run.isRunning) await this.#delete(run.plan.id);
  }

  async #delete(id: string): Promise<void> {
    const isAgreed = await confirm(
      t('Delete this run?'),
      t('Its prompts and answers are deleted from this computer.'),
      t('Delete'),
      t('Keep'),
    );
    if (!isAgreed) return;
    await this.#runs.remove(id);
    this.#run = undefined;
    await this.#tab?.refresh();
  }

  #post(): void {
    this.#tab?.refreshQuietly();
  }

  /** Once for all changes of the next moment. */
  #postSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#post();
    }, refreshMs);
  }

  #content(): object {
    const run = this.#run;
    const shown = run
      ? runContent({
          plan: run.plan,
          states: run.states,
          isRunning: run.isRunning,
          note: this.#note,
        })
      : { html: '', status: '' };
    return { runs: this.#heads, run: run?.plan.id ?? '', ...shown };
  }
}

/** Sorted by name is sorted by time. */
function newId(): Pick<RunPlan, 'id' | 'createdAt'> {
  const createdAt = Date.now();
  const time = new Date(createdAt).toISOString().replaceAll(/\D/g, '');
  return { createdAt, id: `${time}-${randomBytes(4).toString('hex')}` };
}
