import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Pages that are read on the repository's site, with links that are relative to the page. */
const pages = [
  ...['README', 'ARCHITECTURE', 'CONTRIBUTING', 'SECURITY', 'SUPPORT'].map(name => `${name}.md`),
  ...readdirSync('docs')
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const textOf = (page: string): string => readFileSync(page, 'utf8');

/** Paths from the root of the repository in inline code, without patterns (`<name>`, `*`). */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|test|scripts|docs|media)\/[^`\s]*)`/g)]
    .map(([, found]) => found ?? '')
    .filter(found => !/[<*]/.test(found));
}

/** The files of links and pictures within the repository, and the headings that they lead to. */
function linksIn(text: string): { file: string; heading: string }[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))
    .map(target => {
      const [file = '', heading = ''] = target.split('#');
      return { file, heading };
    });
}

/** As GitHub names the place of a heading. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documents', () => {
  for (const page of pages) {
    it(`${page} names only files that exist`, () => {
      assert.deepEqual(
        pathsIn(textOf(page)).filter(found => !existsSync(found)),
        [],
      );
    });

    it(`${page} names only scripts that package.json has`, () => {
      const named = [...textOf(page).matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)];
      assert.deepEqual(
        named.map(([, name = '']) => name).filter(name => !(name in scripts)),
        [],
      );
    });

    it(`${page} links only to what exists`, () => {
      const broken = linksIn(textOf(page)).filter(({ file, heading }) => {
        const target = file ? path.join(path.dirname(page), file) : page;
        if (!existsSync(target)) return true;
        return heading !== '' && !anchorsOf(target).includes(heading);
      });
      assert.deepEqual(broken, []);
    });
  }

  it('the README is short: at most 150 lines and 900 words', () => {
    const readme = textOf('README.md').trim();
    const lines = readme.split('\n').length;
    const words = readme.split(/\s+/).length;
    assert.ok(lines <= 150, `${lines} lines`);
    assert.ok(words <= 900, `${words} words`);
  });

  it('the user guide links to each of its pages', () => {
    const linked = linksIn(textOf('docs/README.md')).map(({ file }) => `docs/${file}`);
    const unlinked = pages.filter(
      page => page.startsWith('docs/') && page !== 'docs/README.md' && !linked.includes(page),
    );
    assert.deepEqual(unlinked, []);
  });

  it('ARCHITECTURE.md has a place for each folder of src', () => {
    const map = textOf('ARCHITECTURE.md');
    const folders = readdirSync('src', { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => `src/${name}/`);
    assert.ok(folders.length > 0);
    assert.deepEqual(
      folders.filter(folder => !map.includes(`\`${folder}\``)),
      [],
    );
  });
});

/** A file of .vscode as JSON; its comments are on lines of their own. */
const withoutComments = (page: string): string => textOf(page).replace(/^\s*\/\/.*$/gm, '');

describe('the configurations of .vscode', () => {
  const { tasks }: { tasks: { label: string; command: string; dependsOn?: string }[] } = JSON.parse(
    withoutComments('.vscode/tasks.json'),
  );
  const {
    configurations,
  }: { configurations: { preLaunchTask?: string; runtimeArgs?: string[] }[] } = JSON.parse(
    withoutComments('.vscode/launch.json'),
  );

  it('start tasks that exist', () => {
    const started = [
      ...configurations.map(({ preLaunchTask }) => preLaunchTask),
      ...tasks.map(({ dependsOn }) => dependsOn),
    ].filter(label => label !== undefined);
    assert.ok(started.length > 0);
    const labels = tasks.map(({ label }) => label);
    assert.deepEqual(
      started.filter(label => !labels.includes(label)),
      [],
    );
  });

  it('run scripts that package.json has', () => {
    const commands = [
      ...tasks.map(({ command }) => command),
      ...configurations.map(({ runtimeArgs = [] }) => `npm ${runtimeArgs.join(' ')}`),
    ];
    const named = commands.flatMap(command =>
      [...command.matchAll(/\bnpm (?:run )?(?:--silent )?([a-z]+)/g)].map(([, name = '']) => name),
    );
    assert.ok(named.includes('start') && named.includes('unit'));
    assert.deepEqual(
      named.filter(name => !(name in scripts)),
      [],
    );
  });
});
