import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import * as vscode from 'vscode';
import { listen } from '../service/listen';
import { startStandIn } from '../service/standIn';
import { asRead } from './asRead';
import { driver } from './driver';
import {
  activePreview,
  closeAll,
  forgetService,
  message,
  openFile,
  restoreStubs,
  run,
  setClipboard,
  setSelection,
  setSetting,
  stub,
  useService,
  waitFor,
  writeFile,
} from './support';

interface Keybinding {
  readonly command: string;
  /** Absent for a key of macOS only. */
  readonly key?: string;
  readonly mac?: string;
  readonly when: string;
}

const root = path.resolve(import.meta.dirname, '../..');
const manifest: { contributes: { keybindings: Keybinding[] } } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
// Enter opens an editor and decides on nothing; its condition asks for a document that cannot be edited.
const keybindings = manifest.contributes.keybindings.filter(({ key }) => key !== 'enter');
const apiKey = 'sk-keys-test-0123456789';

/**
 * Keys that VS Code uses, too, and why the two cannot meet. `when` is what our condition must hold.
 * On macOS, `mac` keys take their place; they were checked against the numbers in VS Code's bundle.
 */
const shared: readonly { when: RegExp; why: string; keys: Record<string, readonly string[]> }[] = [
  {
    when: /^(resourceScheme == splice-review|splice:inPage) && editorTextFocus\b/,
    why: 'A review is read-only and has no problems, symbols or source control of its own, so there is nothing to undo, to save or to go to but its changes; its diff keeps the keys of VS Code.',
    keys: {
      'alt+n': ['splice.apply.rejectChange'],
      'alt+f5': ['splice.apply.nextChange'],
      'shift+alt+f5': ['splice.apply.previousChange'],
      f7: ['splice.apply.nextChange'],
      'shift+f7': ['splice.apply.previousChange'],
      'ctrl+z': ['splice.apply.undoDecision'],
      'ctrl+s': ['splice.apply.saveFile'],
    },
  },
  {
    when: /^splice:inExternalFile && editorTextFocus/,
    why: 'The file has changes of another program to decide about: the keys go to these instead of those that git knows. The chat has its own focus.',
    keys: {
      'alt+n': ['splice.external.undoChange'],
      'alt+f5': ['splice.external.nextChange'],
      'shift+alt+f5': ['splice.external.previousChange'],
    },
  },
  {
    when: /^resourceLangId == splice-receipt && editorTextFocus$/,
    why: 'A receipt is read-only and generated: there is nothing to undo, to save or to go to but its runs.',
    keys: {
      'alt+n': ['splice.compact.leaveOut'],
      f7: ['splice.compact.nextRun'],
      'shift+f7': ['splice.compact.previousRun'],
      'ctrl+z': ['splice.compact.undo'],
      'ctrl+s': ['splice.compact.saveAs'],
    },
  },
  {
    when: /^focusedView == splice\.search && .*!inputFocus$/,
    why: 'The list of search results has the focus, no editor, input or other list; each key does there what it does in the lists of VS Code.',
    keys: {
      escape: ['splice.search.stop'],
      delete: ['splice.search.dismiss'],
      'ctrl+c': ['splice.search.copy'],
      'ctrl+alt+c': ['splice.search.copyPath'],
      'ctrl+enter': ['splice.search.openToSide'],
    },
  },
  {
    when: /^\(splice:hasSearchResults \|\| splice:hasResultSets\) && !searchViewletFocus && !inSearchEditor && !referenceSearchVisible$/,
    why: 'Goes through search results, as the key does in the search of VS Code, which keeps it in its own places, and in its peek of references.',
    keys: { f4: ['splice.search.nextResult'], 'shift+f4': ['splice.search.previousResult'] },
  },
  {
    when: /^!terminalFocus$/,
    why: 'VS Code uses it in terminals only.',
    keys: { 'ctrl+alt+g': ['splice.search.start'] },
  },
];

const chordsOf = (key: string): string[] => key.toLowerCase().split(' ');
const startsWith = (long: readonly string[], short: readonly string[]): boolean =>
  short.every((chord, index) => long[index] === chord);
const collide = (a: string, b: string): boolean =>
  startsWith(chordsOf(a), chordsOf(b)) || startsWith(chordsOf(b), chordsOf(a));

/** What *Default Keyboard Shortcuts* lists, without what extensions of the test add. */
async function defaultKeybindings(): Promise<Required<Keybinding>[]> {
  await run('workbench.action.openDefaultKeybindingsFile');
  const document = await waitFor(() => {
    const active = vscode.window.activeTextEditor?.document;
    return active?.uri.path.endsWith('keybindings.json') && active;
  }, 'the default keyboard shortcuts');
  const json = document.getText().replaceAll(/^\s*\/\/.*$/gm, '');
  const all: Required<Keybinding>[] = JSON.parse(json);
  return all.filter(({ command, when }) => !command.startsWith('splice.') && when !== 'false');
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A key of the manifest as the driver names it. */
async function press(key: string): Promise<void> {
  const names: Record<string, string> = { ctrl: 'Control', shift: 'Shift', alt: 'Alt' };
  for (const chord of chordsOf(key)) {
    const parts = chord.split('+').map(part => names[part] ?? capitalized(part));
    await driver.press(parts.join('+'));
  }
}

describe('keys', () => {
  afterEach(closeAll);

  it('take none of VS Code, but where a condition keeps the two apart', async () => {
    const defaults = await defaultKeybindings();
    assert.ok(defaults.length > 500, `${defaults.length} default keys`);
    const taken: Record<string, string[]> = {};
    for (const { key, command, when } of keybindings) {
      if (key === undefined) continue;
      const others = defaults.filter(other => collide(other.key, key));
      if (others.length === 0) continue;
      const isAllowed = shared.some(
        ({ keys, when: condition }) => keys[key]?.includes(command) && condition.test(when),
      );
      taken[`${key} ${command}`] = isAllowed
        ? []
        : others.map(other => `${other.command} [${other.when}]`);
    }
    const listed = shared.flatMap(({ keys }) =>
      Object.entries(keys).flatMap(([key, commands]) =>
        commands.map(command => [`${key} ${command}`, []] as const),
      ),
    );
    assert.deepEqual(taken, Object.fromEntries(listed));
  });

  describe('of a review', () => {
    const text = 'one two\nthree four\nfive six\n';
    const edit = 'early.ts\n<<<<<<< SEARCH\nthree four\n=======\nthree and four\n>>>>>>> REPLACE\n';
    /** Undo means the same in a file: it takes back what the user did last, and Redo brings it again. */
    const meansTheSame = ['ctrl+z'];
    const keys = keybindings.flatMap(({ key, when }) =>
      key !== undefined && when.includes('splice-review') && !meansTheSame.includes(key)
        ? [key]
        : [],
    );

    /** A file in which each wrong key would show: in the middle of a word, with something to undo and to redo. */
    async function openEdited(): Promise<vscode.TextEditor> {
      await writeFile('early.ts', text);
      const editor = await openFile('early.ts');
      await waitFor(() => editor.document.getText() === text, 'the file');
      for (const word of ['A', 'B'])
        await editor.edit(builder => builder.insert(new vscode.Position(2, 0), word));
      await run('undo');
      await waitFor(() => editor.document.getText() === text.replace('five', 'Afive'), 'the undo');
      await setSelection(editor, new vscode.Selection(1, 8, 1, 8));
      return editor;
    }

    it('are at least ten, and all of the review commands that decide have one', () => {
      for (const name of [
        'acceptChange',
        'rejectChange',
        'acceptAll',
        'rejectAll',
        'acceptAllFiles',
      ])
        assert.ok(keybindings.some(({ command }) => command === `splice.apply.${name}`));
      assert.ok(keys.length >= 10);
    });

    it('leave a file alone when no review was ever opened', async function () {
      if (!driver.available) this.skip();
      const { document } = await openEdited();
      const before = document.getText();
      for (const key of keys) {
        await press(key);
        await driver.press('Escape');
        assert.equal(document.getText(), before, key);
      }
      await driver.type('!');
      await waitFor(() => document.getText() !== before, 'the keys to have come this far');
      assert.equal(document.getText().replace('!', ''), before);
    });

    it('leave the file and the review alone when they come before a slow merge has ended', async function () {
      if (!driver.available) this.skip();
      const standIn = await startStandIn({
        apiKey,
        merge: code => code.replace('three four', 'three and four'),
      });
      const gate = new EventEmitter();
      const released = once(gate, 'open');
      const requests: string[] = [];
      const forward = async (
        { url, method, headers }: IncomingMessage,
        body: Buffer,
        response: ServerResponse,
      ): Promise<void> => {
        requests.push(url ?? '');
        if (method === 'POST') await released;
        const { authorization, 'content-type': type = 'application/json' } = headers;
        const answer = await fetch(`${standIn.url}${url}`, {
          method: method ?? 'GET',
          headers: { 'content-type': type, ...(authorization && { authorization }) },
          ...(method === 'POST' && { body: new Uint8Array(body) }),
        });
        response.writeHead(answer.status, {
          'content-type': answer.headers.get('content-type') ?? '',
        });
        response.end(Buffer.from(await answer.arrayBuffer()));
      };
      const slow = await listen((request, response) => {
        const pieces: Buffer[] = [];
        request.on('data', (piece: Buffer) => pieces.push(piece));
        request.on('end', () => void forward(request, Buffer.concat(pieces), response));
      });
      try {
        await useService(slow.url, apiKey);
        await setSetting('splice.apply.engine', 'service');
        const { document } = await openEdited();
        const before = document.getText();
        await setClipboard(
          '// early.ts\n// ... existing code ...\nthree and four\n// ... existing code ...\n',
        );
        const applied = run('splice.apply.clipboard', document.uri);
        await waitFor(() => requests.length > 0, 'the merge to begin');
        for (const key of keys) {
          await press(key);
          await driver.press('Escape');
          assert.equal(document.getText(), before, key);
        }
        gate.emit('open');
        await applied;
        const preview = await waitFor(activePreview, 'the review');
        assert.match(preview.getText(), /three four\nthree and four/);
        assert.equal(document.getText(), before);
      } finally {
        gate.emit('open');
        await forgetService();
        await slow.close();
        await standIn.close();
      }
    });

    it('decide nothing on the left side of the diff that typing there should undo', async function () {
      if (!driver.available) this.skip();
      await writeFile('early.ts', text);
      const { document } = await openFile('early.ts');
      await setClipboard(edit);
      await run('splice.apply.clipboard');
      await waitFor(activePreview, 'the review');
      await run('splice.apply.openDiff');
      await waitFor(() => asRead(activePreview()?.uri.path)?.endsWith('(proposed)'), 'the diff');
      await run('toggle.diff.renderSideBySide');
      await run('workbench.action.compareEditor.focusSecondarySide');
      await waitFor(() => vscode.window.activeTextEditor?.document === document, 'the left side');
      await driver.type('x');
      await waitFor(() => document.getText() === `x${text}`, 'what was typed');
      await press('ctrl+z');
      await waitFor(() => document.getText() === text, 'the typing to be undone');
      await run('toggle.diff.renderSideBySide');
    });
  });

  describe('Ctrl+K Ctrl+V', () => {
    const places: Record<string, () => Promise<unknown>> = {
      'the explorer': async () => run('workbench.files.action.focusFilesExplorer'),
      'a terminal': async () => {
        await run('workbench.action.terminal.new');
        await waitFor(
          async () => (await driver.count('.terminal-wrapper.active')) > 0,
          'a terminal',
        );
        await run('workbench.action.terminal.focus');
      },
      'the chat': async () => {
        await run('workbench.action.chat.open');
        await run('workbench.action.chat.focusInput');
      },
      // In a browser, VS Code leaves Ctrl+V in a preview to the page; on the desktop it gets the key.
      'a window without editors': async () => run('workbench.action.closeAllEditors'),
      'an editor': async () => openFile('src/cart.ts'),
    };

    for (const [place, focus] of Object.entries(places)) {
      it(`applies the clipboard from ${place}`, async function () {
        if (!driver.available) this.skip();
        const reads: number[] = [];
        await focus();
        stub(vscode.env, 'clipboard', { readText: async () => (reads.push(1), '') });
        await waitFor(async () => {
          await press('ctrl+k ctrl+v');
          for (let tries = 0; tries < 50 && reads.length === 0; tries++)
            await new Promise(resolve => setTimeout(resolve, 20));
          return reads.length > 0;
        }, 'the clipboard to be read');
        await message(/^The clipboard is empty\. Copy the code of an edit first/);
        if (place === 'a terminal') await run('workbench.action.terminal.kill');
      });
    }

    it('says what to do where there is no file to apply to', async () => {
      await run('workbench.action.closeAllEditors');
      await setClipboard('export function answer(): number {\n  return 42;\n}\n');
      await run('splice.apply.clipboard');
      const { buttons } = await message(/^Open the file that the edit is meant for/);
      assert.deepEqual(buttons, ['Choose File…', 'Open File…']);
      restoreStubs();
    });
  });
});
