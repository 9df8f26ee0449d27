import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface SourceFile {
  /** From `src/` on, with `/`. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
  readonly importsVscode: boolean;
}

const maxFiles = 15;
const maxLines = 400;

/** What each folder of `src` may import, besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  base: [],
  markdown: ['base'],
  merge: ['base', 'markdown'],
  service: ['base', 'markdown'],
  platform: ['base', 'markdown', 'service'],
  contracts: ['base', 'service', 'platform'],
};
const featureImports = ['base', 'markdown', 'merge', 'service', 'platform', 'contracts'];

/** Folders that are entered by their index. */
const entered = ['markdown', 'merge', 'service'];

/** Run without VS Code: in a worker, in a unit test, in another program. */
const pure =
  /^(?:base|markdown|merge|service)\/|^apply\/(?:answer|parse)\/|^apply\/review\/(?:model|journal)\/|^apply\/external\/(?:core|rows|store|agents\/core)\/|^apply\/review\/page\/(?:pageLanguages|shownTexts)\.ts$|^apply\/target\/(?:contentLookup|folderList|places|rankTargets)\.ts$|^compact\/(?:core|session|sessions|worker)\/|^search\/(?:agent|local|tools|workspace)\/|^models\/format\/|^playground\/core\/|^connection\/checks\/|^platform\/egress\/secrets\//;

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replaceAll(path.sep, '/'))
    .sort();

function readSources(): SourceFile[] {
  const names = filesIn('src');
  const known = new Set(names);
  return names.map(name => {
    const text = readFileSync(`src/${name}`, 'utf8');
    const specifiers = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier = '']) => specifier,
    );
    const imports = specifiers
      .filter(specifier => specifier.startsWith('.'))
      .map(specifier => {
        const target = path.posix.join(path.posix.dirname(name), specifier);
        const file = [`${target}.ts`, `${target}/index.ts`].find(found => known.has(found));
        assert.ok(file, `${name} imports ${specifier}, which is no file`);
        return file;
      });
    return { name, text, imports, importsVscode: specifiers.includes('vscode') };
  });
}

const areaOf = (name: string): string => name.split('/', 1)[0] ?? '';
const isInFolder = (name: string): boolean => name.includes('/');

const sources = readSources();

describe('the folders of src', () => {
  it('import only what stands below them, and no feature another', () => {
    const wrong = sources
      .filter(({ name }) => isInFolder(name))
      .flatMap(({ name, imports }) => {
        const allowed = below[areaOf(name)] ?? featureImports;
        return imports
          .filter(
            file =>
              isInFolder(file) && areaOf(file) !== areaOf(name) && !allowed.includes(areaOf(file)),
          )
          .map(file => `${name} -> ${file}`);
      });
    assert.deepEqual(wrong, []);
  });

  it('enter markdown, merge and service by their index only', () => {
    const wrong = sources.flatMap(({ name, imports }) =>
      imports
        .filter(
          file =>
            entered.includes(areaOf(file)) &&
            areaOf(file) !== areaOf(name) &&
            file !== `${areaOf(file)}/index.ts`,
        )
        .map(file => `${name} -> ${file}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('name in those indexes the file of each export, as the build needs it', () => {
    for (const area of entered) {
      const index = sources.find(({ name }) => name === `${area}/index.ts`);
      const rest = index?.text
        .replaceAll(/^export (?:type )?\{[^}]*\} from '\.\/[^']+';$/gm, '')
        .replaceAll(/^\/\*\*[^]*?\*\/$/gm, '')
        .trim();
      assert.equal(rest, '', `src/${area}/index.ts`);
    }
  });

  it('keep VS Code out of what is pure', () => {
    assert.deepEqual(
      sources.filter(file => file.importsVscode && pure.test(file.name)).map(({ name }) => name),
      [],
    );
  });

  it(`hold at most ${maxFiles} files each`, () => {
    const counts = new Map<string, number>();
    for (const { name } of sources) {
      const folder = path.posix.dirname(name);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    assert.deepEqual(
      [...counts].filter(([, count]) => count > maxFiles),
      [],
    );
  });

  it(`hold files of at most ${maxLines} lines`, () => {
    const long = sources
      .map(({ name, text }) => [name, text.trimEnd().split('\n').length] as const)
      .filter(([, lines]) => lines > maxLines);
    assert.deepEqual(long, []);
  });

  it('declare each exported name once', () => {
    const declared = new Map<string, Set<string>>();
    for (const { name, text } of sources) {
      for (const [, exported = ''] of text.matchAll(
        /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
      )) {
        declared.set(exported, (declared.get(exported) ?? new Set()).add(name));
      }
    }
    // Each feature has its own of these.
    const perFeature = ['contributions', 'contextKeys'];
    const twice = [...declared]
      .filter(([exported, files]) => files.size > 1 && !perFeature.includes(exported))
      .map(([exported, files]) => `${exported}: ${[...files].join(', ')}`);
    assert.deepEqual(twice, []);
  });
});

describe('the unit tests', () => {
  // A file with many tests has one file per topic: `client.faults.test.ts` tests `client.ts`.
  it('have the paths of the files they test, nearly all', () => {
    const known = new Set(sources.map(({ name }) => name));
    const tests = filesIn('test/unit').filter(
      name => name.endsWith('.test.ts') && !/^(?:rules|standIn|support)\//.test(name),
    );
    const named = tests.filter(name => known.has(name.replace(/(?:\.\w+)?\.test\.ts$/, '.ts')));
    assert.ok(
      named.length >= 0.9 * tests.length,
      `${named.length} of ${tests.length}; not: ${tests.filter(name => !named.includes(name)).join(', ')}`,
    );
  });
});
