import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  hasSecretBeside,
  LineWithholder,
  secretLines,
  withheldMark,
  withholdSecrets,
} from '../../../../../src/platform/egress/secrets/withhold';

const begin = '-----BEGIN RSA PRIVATE KEY-----';
const end = '-----END RSA PRIVATE KEY-----';
const body = Array.from({ length: 6 }, (_, at) => `MIIEpAIBAAKCAQEA${at}`.padEnd(64, 'q7Zx'));
const key = [begin, ...body, end];
const vault = [
  '$ANSIBLE_VAULT;1.1;AES256',
  '6638643965643965646135623738353234',
  '3763616261613738',
];
const assigned = `password = "${'hunter2'.repeat(3)}x9"`;

/** The lines that come out when they go in by so many at a time. */
function inParts(lines: readonly string[], size: number): string[] {
  const withholder = new LineWithholder();
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += size)
    out.push(...withholder.add(lines.slice(at, at + size)));
  return [...out, ...withholder.end()];
}

describe('a text that comes in parts', () => {
  const samples: [name: string, lines: string[], keptAs: string[]][] = [
    ['nothing secret', ['a', '', 'b'], ['a', '', 'b']],
    ['a private key', ['a', ...key, 'b', 'c'], ['a', ...key.map(() => withheldMark), 'b', 'c']],
    [
      'two keys',
      [...key, 'x', ...key, 'y'],
      [...key.map(() => withheldMark), 'x', ...key.map(() => withheldMark), 'y'],
    ],
    [
      'a key without an end',
      ['a', begin, ...body],
      ['a', withheldMark, ...body.map(() => withheldMark)],
    ],
  ];
  for (const [name, lines, expected] of samples)
    for (const size of [1, 2, 3, 100])
      it(`withholds ${name}, by ${size} lines`, () => {
        assert.deepEqual(inParts(lines, size), expected);
      });

  for (const size of [1, 2, 3])
    it(`withholds a vault, by ${size} lines`, () => {
      const lines = ['a: 1', ...vault, 'key: value', 'b'];
      assert.deepEqual(inParts(lines, size), [
        'a: 1',
        ...vault.map(() => withheldMark),
        'key: value',
        'b',
      ]);
    });

  it('has as many lines as went in, and no secret, whatever the parts', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...key, ...vault, assigned, '', 'plain text', 'x = 1'), {
          maxLength: 20,
        }),
        fc.integer({ min: 1, max: 5 }),
        (lines, size) => {
          const out = inParts(lines, size);
          assert.equal(out.length, lines.length);
          for (const [at, line] of out.entries())
            assert.ok(line === lines[at] || line.includes(withheldMark), line);
        },
      ),
    ));

  it('settles all but the last line, whose value may follow', () => {
    const withholder = new LineWithholder();
    assert.deepEqual(withholder.add(['a', 'b', 'c']), ['a', 'b']);
    assert.deepEqual(withholder.add(['d']), ['c']);
    assert.deepEqual([withholder.end(), withholder.end()], [['d'], []]);
  });
});

describe('what was agreed to', () => {
  const text = ['a', ...key, assigned].join('\n');
  const agreed = new Set(secretLines(text));

  it('is left in, whatever the line ends', () => {
    assert.equal(withholdSecrets(text, agreed).text, text);
    assert.equal(withholdSecrets(text.replaceAll('\n', '\r\n'), agreed).count, 0);
    assert.equal(hasSecretBeside(text, agreed), false);
    assert.equal(hasSecretBeside(text, new Set()), true);
  });

  it('is left in where only a part of it is sent', () => {
    const part = [begin, ...body.slice(0, 2)].join('\n');
    assert.equal(withholdSecrets(part, agreed).text, part);
  });

  it('lets nothing else through', () => {
    const other = assigned.replace('hunter2', 'tr0ub4d');
    const { text: out, count } = withholdSecrets(`${assigned}\n\n${other}`, agreed);
    assert.deepEqual([count, out.startsWith(assigned), out.includes('tr0ub4d')], [1, true, false]);
    assert.equal(hasSecretBeside(other, agreed), true);
  });

  it('keeps the number of lines and their ends', () => {
    const { text: out } = withholdSecrets(text.replaceAll('\n', '\r\n'));
    assert.equal(out.split('\r\n').length, text.split('\n').length);
    assert.ok(!out.includes('MIIE'));
  });
});
