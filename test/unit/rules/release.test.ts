import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { faultsOfRelease, isPreRelease, notesOf } from '../../../scripts/release.mjs';

const manifest: { version: string; [field: string]: unknown } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const folder = '.github/workflows';
const workflows = readdirSync(folder).map(name => ({
  name,
  text: readFileSync(path.join(folder, name), 'utf8'),
}));
const maxPicture = 1_000_000; // bytes
const release = readFileSync(path.join(folder, 'release.yml'), 'utf8');

describe('a release', () => {
  it('has a section in CHANGELOG.md and all that the Marketplace shows', () => {
    assert.deepEqual(faultsOfRelease({ manifest, changelog }), []);
  });

  it('has pictures that load fast', () => {
    const readme = readFileSync('README.md', 'utf8');
    const pictures = [...readme.matchAll(/\((media\/\w+\.png)\)/g)].map(([, file = '']) => file);
    assert.ok(pictures.includes('media/review.png') && pictures.includes('media/apply.png'));
    // The blocks of an animated PNG, of which this one has several pictures.
    assert.ok(readFileSync('media/apply.png').includes('fdAT'));
    assert.deepEqual(
      pictures.filter(file => readFileSync(file).length > maxPicture),
      [],
    );
  });

  it('is a pre-release if its minor version is odd', () => {
    const versions = ['0.1.0', '0.2.0', '0.3.7', '1.0.1', '2.11.0', '2.20.3'];
    assert.deepEqual(
      versions.filter(version => isPreRelease(version)),
      ['0.1.0', '0.3.7', '2.11.0'],
    );
  });

  it('has notes of its own version only', () => {
    const text = '# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0\n\n- old\n';
    assert.equal(notesOf(text, '0.2.0'), '- new');
    assert.equal(notesOf(text, '0.1.0'), '- old');
    assert.equal(notesOf(text, '0.3.0'), undefined);
    assert.equal(notesOf('## 0.2.0\n\n## 0.1.0\n\n- old\n', '0.2.0'), undefined);
  });

  it('is refused with another tag, another section, or fields missing', () => {
    const { icon: _, ...withoutIcon } = manifest;
    const faults = (change: Partial<Parameters<typeof faultsOfRelease>[0]>) =>
      faultsOfRelease({ tag: `v${manifest.version}`, manifest, changelog, ...change });
    assert.deepEqual(faults({}), []);
    assert.match(faults({ tag: 'v9.9.9' }).join(), /the tag is v9\.9\.9/);
    assert.match(faults({ changelog: `## 9.9.9\n\n- x\n\n${changelog}` }).join(), /begins with 9/);
    assert.match(faults({ changelog: `## ${manifest.version}\n` }).join(), /says nothing/);
    assert.match(faults({ manifest: withoutIcon }).join(), /no icon/);
    const versionWithWord = { ...manifest, version: '0.2.0-beta' };
    assert.match(faults({ manifest: versionWithWord }).join(), /not three numbers/);
  });
});

describe('the workflows', () => {
  for (const { name, text } of workflows) {
    it(`${name} pins each action to a commit, keeps no credentials, and begins without rights`, () => {
      const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action);
      assert.ok(used.length > 0);
      // A tag can be moved to other code. The comment is for people and for what updates it.
      assert.deepEqual(
        used.filter(action => !/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
        [],
      );
      const checkouts = [...text.matchAll(/actions\/checkout@[^]*?persist-credentials: false/g)];
      assert.equal(checkouts.length, used.filter(action => action.includes('/checkout@')).length);
      assert.match(text, /^permissions:( \{\}|\n {2}contents: read)$/m);
      // Text of others would be run as part of the script.
      assert.doesNotMatch(text, /run: .*\$\{\{ *github\.(event|head_ref|ref_name)/);
      assert.doesNotMatch(text, /pull_request_target/);
    });

    it(`${name} runs the tests on three systems`, () => {
      for (const system of ['ubuntu', 'macos', 'windows'])
        assert.match(text, new RegExp(`os: ${system}-`));
      assert.match(text, /run: npm test -- /);
    });
  }

  it('release.yml packages once, tests that file, and publishes no other', () => {
    const job = (name: string) =>
      release.split(/^(?= {2}\w+:\n {4})/m).find(text => text.startsWith(`  ${name}:`)) ??
      assert.fail(name);
    assert.equal(release.match(/npm run package|vsce package/g)?.length, 1);
    assert.match(job('package'), /npm run package/);
    assert.match(job('test'), /needs: package/);
    assert.match(job('test'), /SPLICE_VSIX: release\/splice\.vsix/);
    const publish = job('publish');
    assert.match(publish, /needs: \[package, test\]/);
    assert.match(publish, /sha256sum --check --strict/);
    assert.match(publish, /vsce publish --packagePath splice\.vsix .*\$FLAG/);
    assert.match(publish, /ovsx@\d+\.\d+\.\d+ publish splice\.vsix .*\$FLAG/);
    const secrets = ['VSCE_PAT', 'OVSX_PAT'];
    for (const secret of secrets) assert.ok(publish.includes(`secrets.${secret}`));
    assert.doesNotMatch(release.replace(publish, ''), /secrets\./);
    const announce = job('announce');
    assert.match(announce, /needs: \[package, publish\]/);
    assert.match(announce, /sha256sum --check --strict/);
    assert.match(announce, /gh release create .* splice\.vsix /);
    // Code of others runs where the secrets are, and not where the repository can be written to.
    assert.doesNotMatch(release.replace(announce, ''), /contents: write/);
    assert.doesNotMatch(announce, /npm|npx/);
  });
});
