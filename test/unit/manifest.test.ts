import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { previewContributions } from '../../src/apply/previewLanguages';
import { receiptContributions } from '../../src/compact/receiptLanguage';
import { ids } from '../../src/manifest';

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    configuration: { properties: Record<string, { scope?: string }> }[];
    keybindings: { command: string; key?: string; mac?: string; when: string }[];
    languages: unknown;
    grammars: unknown;
    configurationDefaults: unknown;
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const words: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const { contributes } = manifest;
const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
const sorted = (values: Iterable<string>) => [...values].sort();

describe('package.json', () => {
  it('declares the commands that the code registers, no more and no fewer', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(declared), sorted(Object.values(ids.command)));
  });

  it('declares the settings that the code reads, no more and no fewer', () => {
    assert.deepEqual(sorted(settings.map(([id]) => id)), sorted(Object.values(ids.setting)));
  });

  it('mentions only context keys that the code owns', () => {
    const mentioned = new Set<string>(text.match(/splice:\w+/g) ?? []);
    assert.deepEqual(sorted(mentioned), sorted(Object.values(ids.contextKey)));
  });

  it('keeps every setting that could redirect traffic out of reach of a workspace', () => {
    for (const [id, { scope }] of settings)
      if (/url|network|host|proxy|path|token|model/i.test(id))
        assert.equal(scope, 'application', id);
  });

  it('keeps every setting of the classifiers, which cost money, out of reach of a workspace', () => {
    const own = settings.filter(([id]) => id.startsWith('splice.reflex.'));
    assert.ok(own.length > 0);
    for (const [id, { scope }] of own) assert.equal(scope, 'application', id);
  });

  it('binds keys to our own conditions only', () => {
    const everywhere: string[] = [ids.command.search, ids.command.applyClipboard];
    for (const { command, when } of contributes.keybindings)
      if (!everywhere.includes(command))
        assert.match(
          when,
          /splice-review|splice-receipt|splice:hasSearchResults|== splice\.search/,
          command,
        );
  });

  it('leaves Cmd+K of macOS to what clears a terminal or a console', () => {
    const [binding] = contributes.keybindings.filter(({ mac }) => mac === 'cmd+k cmd+v');
    assert.match(binding?.when ?? '', /^!isMac \|\| \(!terminalFocus && focusedView != /);
  });

  it('decides on changes by keys that no editor types or deletes with, on any system', () => {
    const own = contributes.keybindings.filter(({ when }) => /splice-re(view|ceipt)/.test(when));
    for (const { key, mac } of own) {
      assert.match(
        key ?? '',
        /^(ctrl\+[zs]|(shift\+)?alt\+[a-z]|(shift\+)?(alt\+)?f\d|ctrl\+k ctrl\+y)$/,
      );
      // Option with a letter types a character on macOS.
      assert.match(mac ?? key ?? '', /^(.*cmd\+.*|(shift\+)?(alt\+)?f\d)$/);
    }
  });

  it('has words for every key, and no others', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map(match => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
  });

  it('contributes the languages as the code lists them (UPDATE_MANIFEST=1 rewrites it)', () => {
    const preview = previewContributions();
    const receipt = receiptContributions();
    const expected = {
      ...preview,
      languages: [...preview.languages, receipt.language],
      configurationDefaults: { ...preview.configurationDefaults, ...receipt.settings },
    };
    if (process.env['UPDATE_MANIFEST']) {
      const updated = { ...manifest, contributes: { ...contributes, ...expected } };
      writeFileSync('package.json', `${JSON.stringify(updated, undefined, 2)}\n`);
      return;
    }
    const { languages, grammars, configurationDefaults } = contributes;
    assert.deepEqual({ languages, grammars, configurationDefaults }, expected);
  });
});
