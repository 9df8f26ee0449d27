// What a release must be, for .github/workflows/release.yml: node scripts/release.mjs v0.2.0 [notes file] prints
// its version and channel as outputs of a step, and exits with 1 if something is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The Marketplace knows no versions such as 1.0.0-beta: an odd minor version is the channel of pre-releases.
 * https://code.visualstudio.com/api/working-with-extensions/publishing-extension#prerelease-extensions
 */
export const isPreRelease = version => Number(version.split('.')[1]) % 2 === 1;

/** The text below the heading of the version, and undefined if there is none. */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const found = sections.find(section => section.split('\n', 1)[0].trim() === version);
  return found?.slice(found.indexOf('\n')).trim() || undefined;
}

/** What the listing in the Marketplace needs of package.json, besides what vsce itself refuses. */
const wantedFields = [
  'displayName',
  'description',
  'publisher',
  'license',
  'icon',
  'galleryBanner',
  'categories',
  'keywords',
  'badges',
  'repository',
  'homepage',
  'bugs',
  'qna',
  'pricing',
  'extensionKind',
];
const maxKeywords = 30; // more are refused by the Marketplace

const read = name => readFileSync(path.join(import.meta.dirname, '..', name), 'utf8');

/** What keeps this state from being published, one sentence each. */
export function faultsOfRelease({ tag, manifest, changelog }) {
  const { version } = manifest;
  const faults = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) faults.push(`the version ${version} is not three numbers`);
  if (tag !== undefined && tag !== `v${version}`)
    faults.push(`the tag is ${tag}, and the version in package.json ${version}`);
  const [, newest] = /^## (.*)$/m.exec(changelog) ?? [];
  if (newest !== version) faults.push(`CHANGELOG.md begins with ${newest}, not with ${version}`);
  if (notesOf(changelog, version) === undefined)
    faults.push(`CHANGELOG.md says nothing about ${version}`);
  for (const field of wantedFields)
    if (manifest[field] === undefined) faults.push(`package.json has no ${field}`);
  if ((manifest.keywords?.length ?? 0) > maxKeywords)
    faults.push(`package.json has more than ${maxKeywords} keywords`);
  return faults;
}

if (process.argv[1] === import.meta.filename) {
  const [tag, notesFile] = process.argv.slice(2);
  const manifest = JSON.parse(read('package.json'));
  const changelog = read('CHANGELOG.md');
  const faults = faultsOfRelease({ tag, manifest, changelog });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else {
    if (notesFile) writeFileSync(notesFile, `${notesOf(changelog, manifest.version)}\n`);
    console.log(`version=${manifest.version}`);
    console.log(`flag=${isPreRelease(manifest.version) ? '--pre-release' : ''}`);
  }
}
