import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { contentOf } from '../../../../../../src/apply/external/core/content';
import {
  GitAttributes,
  readConversionConfig,
} from '../../../../../../src/apply/external/disk/git/attributes';
import {
  lineEndRule,
  lineEndsOf,
  withCrlf,
} from '../../../../../../src/apply/external/disk/git/lineEnds';
import { GitRoot, gitOf, withoutUserSettings } from '../gitRoot';

const texts = ['', '-text', 'text', 'text=auto', 'text=input', 'text=odd'];
const ends = ['', 'eol=lf', 'eol=crlf'];
const oldNames = ['', '-crlf', 'crlf=input'];
const contents: Readonly<Record<string, string>> = {
  lf: 'one\ntwo\n',
  mixed: 'one\r\ntwo\n',
  return: 'one\rtwo\n',
  none: 'one',
  controls: '\u0001\u0002\n'.repeat(3),
  nul: 'one\n\0two\n',
  sub: 'one\n\u001a',
};

describe('line ends are those that git writes', () => {
  withoutUserSettings();
  let disk: GitRoot;
  afterEach(() => disk.remove());

  for (const autocrlf of ['', 'true', 'input', 'false'])
    for (const eol of autocrlf === '' || autocrlf === 'true'
      ? ['', 'lf', 'crlf', 'native']
      : ['']) {
      it(`with autocrlf=${autocrlf || 'unset'} and eol=${eol || 'unset'}, in all attributes`, async () => {
        disk = new GitRoot();
        const lines: string[] = [];
        for (const [at, attributes] of combinations().entries())
          for (const [name, text] of Object.entries(contents)) {
            writeFileSync(disk.at(`${at}.${name}`), text);
            lines.push(`${at}.${name} ${attributes}`);
          }
        // What the index has before any conversion.
        disk.git('-c', 'core.autocrlf=false', 'add', '.');
        writeFileSync(disk.at('.gitattributes'), `${lines.join('\n')}\n`);
        if (autocrlf) disk.git('config', 'core.autocrlf', autocrlf);
        if (eol) disk.git('config', 'core.eol', eol);
        for (const line of lines) rmSync(disk.at(line.split(' ')[0] ?? ''));
        disk.git('checkout-index', '-a');

        const git = await gitOf(disk.root);
        const config = await readConversionConfig(git);
        const attributesOf = new GitAttributes(git);
        const wrong: string[] = [];
        for (const line of lines) {
          const [file = ''] = line.split(' ');
          const stored = Buffer.from(contents[file.replace(/^\d+\./, '')] ?? '');
          const rule = lineEndRule(await attributesOf.of(file), config);
          const converted = rule.written === 'crlf' ? withCrlf(stored, rule) : undefined;
          if (!(converted ?? stored).equals(readFileSync(disk.at(file)))) wrong.push(line);
        }
        assert.deepEqual(wrong, []);

        // Whether CRLF in the file and LF in the blob are the same to git.
        const files = lines
          .map(line => line.split(' ')[0] ?? '')
          .filter(file => file.endsWith('lf'));
        for (const file of files) writeFileSync(disk.at(file), 'one\r\ntwo\r\n');
        const ids = disk.git('hash-object', '--', ...files).split('\n');
        const { id } = contentOf(Buffer.from(contents['lf'] ?? ''), 'sha1');
        for (const [at, file] of files.entries()) {
          const rule = lineEndRule(await attributesOf.of(file), config);
          assert.equal(rule.isNormalized, ids[at] === id, lines[at]);
        }
        attributesOf.dispose();
      });
    }
});

const combinations = (): string[] =>
  texts.flatMap(text =>
    ends.flatMap(end => oldNames.map(old => [text, end, old].filter(Boolean).join(' '))),
  );

describe('line ends', () => {
  const piece = fc.constantFrom('\r', '\n', '\r\n', 'a', '\0', 'ü');
  const explicit = { isNormalized: true, written: 'crlf', isAutomatic: false } as const;

  it('are those of the system where nothing else is said', () => {
    const auto = { text: 'auto', crlf: 'unspecified', eol: 'unspecified' };
    const others = { filter: 'unspecified', ident: 'unspecified', encoding: 'unspecified' };
    const config = { autocrlf: 'false', eol: 'native' } as const;
    assert.equal(lineEndRule({ ...auto, ...others }, config, true).written, 'crlf');
    assert.equal(lineEndRule({ ...auto, ...others }, config, false).written, 'asStored');
  });

  it('are counted as they are', () => {
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const text = pieces.join('');
        const crlf = text.split('\r\n').length - 1;
        assert.deepEqual(lineEndsOf(Buffer.from(text)), {
          crlf,
          lf: text.split('\n').length - 1 - crlf,
          cr: text.split('\r').length - 1 - crlf,
        });
      }),
    );
  });

  it('become CRLF where they are LF, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.array(piece), pieces => {
        const text = pieces.join('');
        const converted = withCrlf(Buffer.from(text), explicit);
        const expected = text.replaceAll(/(?<!\r)\n/g, '\r\n');
        assert.equal(converted?.toString() ?? text, expected);
        assert.equal(converted === undefined, text === expected);
      }),
    );
  });
});
