import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { sampleText } from '../../src/welcome/sample';
import { isTrue } from '../support/whenClause';
import { activePreview, answer, closeAll, message, messages, run, waitFor } from './support';

const openSample = 'splice.welcome.openSample';
const applySample = 'splice.welcome.applySample';

const documentNamed = (name: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(`/sample/${name}`));

interface Step {
  readonly id: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

describe('the first steps', () => {
  afterEach(closeAll);

  it('open a sample with an answer beside it, and review the answer in it without an account', async () => {
    answer(/^answer\.md shows only the lines that change in cart\.ts/, 'Apply the Answer');
    await run(openSample);
    const preview = await waitFor(activePreview, 'the review of the sample');
    assert.match(preview.getText(), /return sum >= 5000/);
    assert.doesNotMatch(preview.getText(), /finding/);
    assert.equal(documentNamed('cart.ts')?.getText(), sampleText);
    assert.ok(documentNamed('answer.md')?.getText().includes('sum >= 5000'));

    await run('splice.apply.acceptAll');
    await waitFor(
      () => documentNamed('cart.ts')?.getText().includes('sum >= 5000') === true,
      'the sample has the change',
    );
    await documentNamed('cart.ts')?.save();
    assert.deepEqual(messages().length, 1);
  });

  it('begin again with the sample as it was', async () => {
    await run(openSample);
    await run(applySample);
    await waitFor(activePreview, 'the review of the sample');
    await run('splice.apply.acceptAll');
    const changed = await waitFor(
      () => documentNamed('cart.ts')?.getText().includes('sum >= 5000') && documentNamed('cart.ts'),
      'the sample has the change',
    );
    await changed.save();
    await run(applySample);
    const { buttons } = await message(/^The sample already has this change\.$/);
    assert.deepEqual(buttons, ['Start Again']);
    await run(openSample);
    assert.equal(documentNamed('cart.ts')?.getText(), sampleText);
    assert.equal(documentNamed('cart.ts')?.isDirty, false);
  });

  it('are a walkthrough whose links, pictures and conditions exist', async () => {
    const extension = vscode.extensions.getExtension('splice-code.splice');
    assert.ok(extension);
    const { contributes }: { contributes: { walkthroughs: { steps: Step[] }[] } } =
      extension.packageJSON;
    const commands = new Set(await vscode.commands.getCommands(true));
    const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['apply', 'search', 'compact', 'external', 'connect'],
    );
    for (const { id, description, media, completionEvents } of steps) {
      const links = [...description.matchAll(/\(command:([\w.]+)\)/g)].map(([, link = '']) => link);
      assert.ok(links.length > 0, id);
      for (const link of links) assert.ok(commands.has(link), `${id}: ${link}`);
      assert.ok(existsSync(vscode.Uri.joinPath(extension.extensionUri, media.svg).fsPath), id);
      assert.ok(media.altText.length > 20, id);
      for (const event of completionEvents) {
        const [kind, what = ''] = event.split(/:(.*)/s);
        if (kind === 'onCommand') assert.ok(commands.has(what), `${id}: ${what}`);
        // Not done before anything has happened.
        else assert.equal(kind === 'onContext' && isTrue(what, {}), false, `${id}: ${event}`);
      }
    }
  });
});
