// A search in a window without a folder.
import * as vscode from 'vscode';
import { closeAll, message, run, stub } from './support';

describe('a search in a window without a folder', () => {
  afterEach(closeAll);

  it('is refused before anything is typed', async () => {
    stub(vscode.window, 'createQuickPick', () => {
      throw new Error('asked what to search for');
    });
    await run('splice.search.start');
    await message(/^Open a folder to search in it\.$/);
  });
});
