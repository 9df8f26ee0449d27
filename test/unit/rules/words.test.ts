import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** Words that a newcomer would have to learn, each with the word that is used in its place. */
const replacements: readonly (readonly [word: RegExp, replacement: string])[] = [
  [/\b(?:open)?Room\w*\b/g, 'Controller, create…Controller'],
  [/\bCaller\b/g, 'RequestExecutor'],
  [/\bSlots\b/g, 'Limiter'],
  [/\bOriginState\b/g, 'CircuitBreaker'],
  [/\bmayRetry\b/g, 'shouldRetry'],
  [/\bpoliteMs\b/g, 'jitteredRetryAfterMs'],
  [/\bsetLooked\b/g, 'setVisible'],
  [/\bisAsked\b/g, 'isUserInitiated'],
  [/\bhurry\b/g, 'pollFasterFor'],
  [/\beveryMs\b/g, 'pollIntervalMs'],
  [/\b(?:giveBack|goOn|patiently)\b/g, 'release, resume, retryUntilDone'],
  [/\bsurprise\w*\b/g, 'unexpected'],
  [/\b(?:tell|told)[A-Z]\w*\b/g, 'notify…'],
  [/\bhide[A-Z]\w*\b/g, 'redact…'],
  [/\b(?:most|longest|largest|biggest)[A-Z]\w*\b/g, 'max…'],
  [/\b(?:least|fewest|shortest|smallest)[A-Z]\w*\b/g, 'min…'],
  [/\b(?:Shelf|Stock|Fleet|Sheet|Stretch)\w*\b/g, 'a term of the trade'],
  [/(?:\/\*\*|\/\/|^\s*\*) (?:Of|For people|So many|As many|Nothing of)\b/gm, 'a full sentence'],
  [/\bmore seldom\b|\bfor people\b/gi, 'less often, shown to the user'],
];

describe('the words of src', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  );
  const texts = files.map(name => [name, readFileSync(`src/${name}`, 'utf8')] as const);
  for (const [word, replacement] of replacements) {
    it(`are not ${word.source}, but: ${replacement}`, () => {
      const found = texts.flatMap(([name, text]) =>
        [...text.matchAll(word)].map(
          ({ 0: match, index }) => `${name}:${text.slice(0, index).split('\n').length} ${match}`,
        ),
      );
      assert.deepEqual(found, []);
    });
  }
});
