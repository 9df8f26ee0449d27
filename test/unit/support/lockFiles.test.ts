import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';

interface Entry {
  readonly version?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** Compiled into the extension or run by the Node 24 of the test host, never by the Node of the scripts. */
const forNewerNode = [
  'node_modules/eventsource-parser',
  'node_modules/openai',
  'node_modules/undici',
];

const jsonOf = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const isLock = (value: unknown): value is { packages: Record<string, Entry> } =>
  typeof value === 'object' && value !== null && 'packages' in value;

function packagesOf(folder: string): Record<string, Entry> {
  const lock = jsonOf(path.join(folder, 'package-lock.json'));
  assert.ok(isLock(lock));
  return lock.packages;
}

/** The entry that Node finds from `place`: its own node_modules, then those above it. */
function entryFor(packages: Record<string, Entry>, place: string, name: string): Entry | undefined {
  for (let base = place; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const found = packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`];
    if (found || base === '') return found;
  }
}

for (const folder of ['.', 'test/support/runner/host'])
  describe(`the lock file of ${folder}`, () => {
    const packages = packagesOf(folder);

    it('has an entry for each optional package, of other systems as well', () => {
      const missing: string[] = [];
      for (const [place, { optionalDependencies = {} }] of Object.entries(packages))
        for (const [name, range] of Object.entries(optionalDependencies)) {
          const version = entryFor(packages, place, name)?.version;
          const isAlias = range.startsWith('npm:');
          if (version === undefined || (!isAlias && !semver.satisfies(version, range)))
            missing.push(`${name}@${range} of ${place}`);
        }
      assert.deepEqual(missing, []);
    });

    it('says for which system a package of one system is', () => {
      const unmarked = Object.entries(packages)
        .filter(([place]) => /(darwin|win32|linux|android|freebsd)-(x64|arm64|ia32)/.test(place))
        .filter(([, { os, optional }]) => !os || optional !== true)
        .map(([place]) => place);
      assert.deepEqual(unmarked, []);
    });

    it('agrees with package.json', () => {
      const manifest = jsonOf(path.join(folder, 'package.json'));
      const root: Entry = packages[''] ?? {};
      assert.ok(typeof manifest === 'object' && manifest !== null);
      for (const kind of kinds)
        assert.deepEqual(root[kind] ?? {}, Reflect.get(manifest, kind) ?? {}, kind);
    });

    it('names no registry', () => {
      const named = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
      assert.deepEqual(named, []);
      assert.doesNotMatch(
        readFileSync(path.join(folder, 'package-lock.json'), 'utf8'),
        /"resolved"/,
      );
    });
  });

describe('the Node that package.json asks for', () => {
  const packages = packagesOf('.');
  const range = packages['']?.engines?.node ?? '';

  it('is what the packages ask for that the scripts run', () => {
    const lowest = semver.minVersion(range);
    assert.ok(lowest);
    assert.equal(lowest.major, 20);
    const demanding = Object.entries(packages)
      .filter(([, { engines }]) => engines?.node && !semver.satisfies(lowest, engines.node))
      .map(([place]) => place);
    assert.deepEqual(demanding, forNewerNode);
  });

  it('is explained in CONTRIBUTING.md, and npm hides no warning about it', () => {
    const guide = readFileSync('CONTRIBUTING.md', 'utf8');
    for (const place of forNewerNode) {
      const name = place.slice('node_modules/'.length);
      assert.match(guide, new RegExp(`EBADENGINE[^]*\`${name}\``));
    }
    assert.doesNotMatch(readFileSync('.npmrc', 'utf8'), /loglevel|silent/);
  });

  it('is not the one that runs them: no script and no build step imports them', () => {
    const scripts = ['scripts', 'test/support'].flatMap(folder =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(file => file.endsWith('.mjs'))
        .map(file => path.join(folder, file)),
    );
    const imports = forNewerNode.map(place => place.slice('node_modules/'.length)).join('|');
    for (const file of [...scripts, 'esbuild.mjs'])
      assert.doesNotMatch(
        readFileSync(file, 'utf8'),
        new RegExp(`from '(?:${imports})|import\\('(?:${imports})`),
      );
  });
});
