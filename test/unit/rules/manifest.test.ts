import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from '../../../scripts/manifest';
import { type Context, isTrue, keysOf } from '../../support/whenClause';
import { contextValues } from './manifest/contextValues';

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    configuration: { properties: Record<string, { scope?: string }> }[];
    menus: Record<string, { command: string; when: string }[]>;
    viewsWelcome: { when?: string }[];
    keybindings: { command: string; key?: string; mac?: string; when: string }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest: Manifest = JSON.parse(text);
const words: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const { contributes } = manifest;
const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
const whens = [
  ...Object.values(contributes.menus).flat(),
  ...contributes.keybindings,
  ...contributes.viewsWelcome,
].flatMap(({ when }) => when ?? []);

/** The code, without what is only declared. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !/(contributions|\bids)\.ts$/.test(file))
  .map(file => ({ file, code: readFileSync(path.join('src', file), 'utf8') }));
/** The commands of which a file says what they do. */
const handledIds = ({ code }: { readonly code: string }): string[] =>
  code.includes('satisfies Handlers<')
    ? [...code.matchAll(/^ +'(splice\.[\w.]+)': /gm)].map(([, id = '']) => id)
    : [];
/** What the palette lists in a situation. */
const offered = (context: Context): string[] =>
  sorted(
    contributes.commands
      .map(({ command }) => command)
      .filter(id =>
        contributes.menus['commandPalette']?.every(
          ({ command, when }) => command !== id || isTrue(when, context),
        ),
      ),
  );
const sorted = (values: Iterable<string>) => [...values].sort();

describe('package.json', () => {
  it('declares the commands that the code registers, no more and no fewer', () => {
    const declared = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(declared), sorted(sources.flatMap(handledIds)));
  });

  it('leaves each command to the code that registers the middle of its id', () => {
    const loadedLate = sources.filter(({ file }) => file.endsWith('commands.ts'));
    const names = (ids: readonly string[]) =>
      sorted(new Set(ids.map(id => id.split('.')[1] ?? '')));
    const handled = loadedLate.flatMap(source => names(handledIds(source)));
    const registered = sources.flatMap(({ code }) =>
      [...code.matchAll(/registerCommands\(\s*host,\s*\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
      ),
    );
    assert.ok(registered.length > 5);
    // Each name once: no two features answer for the same one.
    assert.deepEqual(sorted(handled), sorted(registered));
    const others = sources.filter(source => !loadedLate.includes(source)).flatMap(handledIds);
    assert.deepEqual(
      names(others).filter(name => registered.includes(name)),
      [],
    );
  });

  it('declares the settings that the code reads, no more and no fewer', () => {
    const code = sources.map(source => source.code).join('\n');
    const read = settings.filter(([id]) => code.includes(`'${id}'`));
    assert.deepEqual(read, settings);
  });

  it('mentions only context keys that the code sets', () => {
    const mentioned = [...new Set(text.match(/splice:\w+/g) ?? [])];
    assert.ok(mentioned.length > 10);
    for (const key of mentioned) {
      const name = key.slice('splice:'.length);
      const isSet = sources.some(({ code }) =>
        new RegExp(
          `(new ContextKey(<\\w+>)?\\(|rememberedKey\\(\\s*(host\\.)?context,\\s*)(contextKeys\\.)?${name}[,)]|(off|filtered)Key: contextKeys\\.${name}\\b`,
        ).test(code),
      );
      assert.ok(isSet, key);
    }
  });

  it('asks for context keys of VS Code that are known to it', () => {
    const foreign = whens.flatMap(keysOf).filter(key => !key.startsWith('splice:'));
    assert.deepEqual(sorted(new Set(foreign)), [
      'activeEditor',
      'config.splice.endpoints.dashboardUrl',
      'config.splice.service.baseUrl',
      'editorHasSelection',
      'editorIsOpen',
      'editorReadonly',
      'editorTextFocus',
      'explorerResourceIsFolder',
      'focusedView',
      'inSearchEditor',
      'inputFocus',
      'isInDiffEditor',
      'isMac',
      'isWorkspaceTrusted',
      'referenceSearchVisible',
      'resourceExtname',
      'resourceLangId',
      'resourceScheme',
      'searchViewletFocus',
      'terminalFocus',
      'view',
      'viewItem',
      'workspaceFolderCount',
    ]);
  });

  it('puts nothing on items of a view that no item ever fits', () => {
    const values = contextValues();
    const tests = whens.flatMap(when =>
      when.includes('viewItem')
        ? [
            {
              view: /view == (\S+)/.exec(when)?.[1] ?? '',
              test: /viewItem =~ \S+/.exec(when)?.[0] ?? when,
            },
          ]
        : [],
    );
    assert.ok(tests.length > 30);
    for (const { view, test } of tests)
      assert.ok(
        values[view]?.some(viewItem => isTrue(test, { viewItem })),
        `${view}: ${test} fits none of ${values[view]?.join(' ')}`,
      );
  });

  it('offers few commands to a new user who has nothing open', () => {
    assert.deepEqual(offered({ isWorkspaceTrusted: true, workspaceFolderCount: 0 }), [
      'splice.apply.clipboard',
      'splice.compact.searchHistories',
      'splice.compact.start',
      'splice.costs.show',
      'splice.models.manage',
      'splice.models.why',
      'splice.privacy.showSent',
      'splice.search.start',
      'splice.service.connect',
      'splice.service.diagnose',
      'splice.showLog',
      'splice.welcome.open',
    ]);
  });

  it('offers another filter where the filter leaves no search result', () => {
    assert.ok(offered({ 'splice:isSearchFiltered': true }).includes('splice.search.filter'));
    assert.ok(!offered({}).includes('splice.search.filter'));
  });

  it('begins the title of each command with a verb, once', () => {
    const titles = contributes.commands.map(({ title }) => words[title.slice(1, -1)] ?? title);
    const noVerb =
      /^(?:Next|Previous|New|All|Reflex|Batch(?! Classify)|History|Results?|Chat|Endpoints?|Service|API)\b/;
    assert.deepEqual(
      titles.filter(title => noVerb.test(title)),
      [],
    );
    // The ellipsis says only that something is asked first.
    const bare = titles.map(title => title.replace(/…$/, ''));
    assert.deepEqual(
      bare.filter((title, at) => bare.indexOf(title) !== at),
      [],
    );
  });

  it('links from texts of views and walkthroughs only to commands that exist', () => {
    const known = new Set(contributes.commands.map(({ command }) => command));
    const links = Object.values(words).flatMap(text_ =>
      [...text_.matchAll(/\(command:(splice\.[\w.]+)\)/g)].map(([, link = '']) => link),
    );
    assert.ok(links.length > 5);
    for (const link of links) assert.ok(known.has(link) || link.endsWith('.focus'), link);
  });

  it('offers what needs an API key once there is one', () => {
    const before = offered({ isWorkspaceTrusted: true, workspaceFolderCount: 1 });
    const after = offered({
      isWorkspaceTrusted: true,
      workspaceFolderCount: 1,
      'splice:hasApiKey': true,
    });
    assert.deepEqual(
      before.filter(id => !after.includes(id)),
      [],
    );
    assert.equal(after.length - before.length, 29);
  });

  it('keeps every command that the palette hides within reach of a menu, a key or a link', () => {
    const { commandPalette = [], ...others } = contributes.menus;
    const placed = new Set(
      [...Object.values(others).flat(), ...contributes.keybindings].map(({ command }) => command),
    );
    const code = sources
      .map(source => source.code.replaceAll(/^ +'splice[.\w]+': /gm, ''))
      .join('');
    for (const { command, when } of commandPalette)
      if (when === 'false')
        assert.ok(placed.has(command) || code.includes(`'${command}'`), command);
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
    const everywhere = ['splice.search.start', 'splice.apply.clipboard'];
    for (const { command, when } of contributes.keybindings)
      if (!everywhere.includes(command))
        assert.match(
          when,
          /splice-review|splice-receipt|splice:inPage|splice:inExternalFile|splice:hasSearchResults|== splice\.search/,
          command,
        );
  });

  it('leaves Cmd+K of macOS to what clears a terminal or a console', () => {
    const [binding] = contributes.keybindings.filter(({ mac }) => mac === 'cmd+k cmd+v');
    assert.match(binding?.when ?? '', /^!isMac \|\| \(!terminalFocus && focusedView != /);
  });

  it('decides on changes by keys that no editor types or deletes with, on any system', () => {
    const own = contributes.keybindings.filter(({ when }) =>
      /splice-re(view|ceipt)|splice:inPage/.test(when),
    );
    for (const { command, key, mac, when } of own) {
      if (command === 'splice.apply.editChange') {
        // It decides on nothing, and where it acts nothing can be typed.
        assert.match(when, /editorReadonly/);
        continue;
      }
      assert.match(
        key ?? '',
        /^(ctrl\+[zs]|(shift\+)?alt\+[a-z]|(shift\+)?(alt\+)?f\d|ctrl\+k (ctrl\+y|alt\+[ny]))$/,
      );
      // Option with a letter types a character on macOS.
      assert.match(mac ?? key ?? '', /^(.*cmd\+.*|(shift\+)?(alt\+)?f\d)$/);
    }
  });

  it('has words for every key, and no others', () => {
    const used = [...text.matchAll(/"%([\w.]+)%"/g)].map(match => match[1] ?? '');
    assert.deepEqual(sorted(new Set(used)), sorted(Object.keys(words)));
  });

  for (const [file, generated] of Object.entries(generate(text)))
    it(`is what \`npm run manifest\` writes, in ${file}`, () => {
      assert.ok(
        readFileSync(file, 'utf8') === generated,
        `${file} is out of date: run npm run manifest`,
      );
    });
});
