import * as vscode from 'vscode';
import { createTextDocuments } from '../../platform/documents/textDocuments';
import { type StepStates, stepOf } from '../core/run';
import { playgroundScheme } from '../ids';
import type { PlaygroundRun } from '../playgroundRun';

const { t } = vscode.l10n;

interface ShownAnswer {
  readonly label: string;
  readonly uri: vscode.Uri;
}

/** Answers as read-only documents, alone or two of them beside each other. */
export class AnswerDocuments implements vscode.Disposable {
  readonly #documents = createTextDocuments(playgroundScheme, () =>
    t('Open it from the Playground again.'),
  );

  dispose(): void {
    this.#documents.dispose();
  }

  /** @param step id of the step with the answer */
  async open(run: PlaygroundRun, step: string): Promise<void> {
    const [row = 0, target = 0] = step.split('.').map(Number);
    const answer = this.#serve(run, row, target);
    if (answer) await vscode.window.showTextDocument(answer.uri, { preview: true });
  }

  /** VS Code's diff of two answers to one prompt; asks which, where there are more. */
  async compare(run: PlaygroundRun, row: number): Promise<void> {
    const answers = run.plan.targets.flatMap(({ kind }, target) =>
      kind === 'reflex' ? [] : (this.#serve(run, row, target) ?? []),
    );
    const left =
      answers.length > 2 ? await pick(answers, t('Which answer on the left?')) : answers[0];
    if (!left) return;
    const others = answers.filter(answer => answer !== left);
    const right =
      others.length > 1 ? await pick(others, t('Which answer on the right?')) : others[0];
    if (!right) return;
    await vscode.commands.executeCommand(
      'vscode.diff',
      left.uri,
      right.uri,
      `${left.label} ↔ ${right.label}`,
      { preview: true },
    );
  }

  #serve({ plan, states }: PlaygroundRun, row: number, target: number): ShownAnswer | undefined {
    const text = answerText(states, row, target);
    const { label } = plan.targets[target] ?? {};
    if (text === undefined || label === undefined) return undefined;
    const path = `/${label.replaceAll(/[^\p{L}\p{N}._ -]/gu, '-')}.md`;
    const uri = vscode.Uri.from({
      scheme: playgroundScheme,
      path,
      query: `${plan.id}/${stepOf(row, target).id}`,
    });
    this.#documents.serve(uri, text);
    return { label, uri };
  }
}

function answerText(states: StepStates, row: number, target: number): string | undefined {
  const state = states.get(stepOf(row, target).id);
  return state?.kind === 'done' ? state.result.text : undefined;
}

const pick = async (
  answers: readonly ShownAnswer[],
  placeHolder: string,
): Promise<ShownAnswer | undefined> =>
  vscode.window.showQuickPick(answers, {
    title: t('Compare Answers'),
    placeHolder,
    // Between two questions the page gets the focus back for a moment, which may come late and close the second one.
    ignoreFocusOut: true,
  });
