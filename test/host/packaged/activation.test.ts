import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { print } from '../print';

declare global {
  /** VS Code's own record of when things happened, in ms. */
  var MonacoPerformanceMarks: { getMarks(): { name: string; startTime: number }[] };
}

describe('the packaged extension', () => {
  it('activates', async () => {
    const extension = vscode.extensions.getExtension('splice-code.splice');
    assert.ok(extension, 'the VSIX is not installed');
    const wasActive = extension.isActive;
    await extension.activate();
    assert.ok(extension.isActive);

    const marks = MonacoPerformanceMarks.getMarks();
    const at = (step: string): number =>
      marks.find(({ name }) => name === `code/extHost/${step}/splice-code.splice`)?.startTime ??
      NaN;
    const ms = (step: string): string => (at(`did${step}`) - at(`will${step}`)).toFixed(1);
    print(
      `      load ${ms('LoadExtensionCode')} ms, activation ${ms('ActivateExtension')} ms` +
        (wasActive ? ', at startup' : ''),
    );
  });
});
