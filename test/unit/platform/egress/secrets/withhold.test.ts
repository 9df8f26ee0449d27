import assert from 'node:assert/strict';
import { hasSecret } from '../../../../../src/platform/egress/secrets/secretText';
import {
  LineWithholder,
  withheldMark,
  withholdSecrets,
} from '../../../../../src/platform/egress/secrets/withhold';

const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQ+/abc=\nqwertz\n-----END PRIVATE KEY-----';

const fits = (part: string): string => part.repeat(Math.ceil(1e6 / part.length));

/** The lines that come out when they go in by two parts. */
function inTwoParts(lines: readonly string[], cut: number): string[] {
  const withholder = new LineWithholder();
  return [
    ...withholder.add(lines.slice(0, cut)),
    ...withholder.add(lines.slice(cut)),
    ...withholder.end(),
  ];
}

describe('what is withheld of a text', () => {
  for (const [text, left] of [
    ['const apiKey = "x7fQ2mZ9wL4tR8aa";', `const apiKey = "${withheldMark}";`],
    ['a sk-proj-aB3dE5fG7hJ9kL1mN b', `a ${withheldMark} b`],
    [`x = \`${pem}\`;\ny`, `x = \`${Array(4).fill(withheldMark).join('\n')}\`;\ny`],
    ['password: hunter2abc\r\nnext\r\n', `password: ${withheldMark}\r\nnext\r\n`],
    ['token = getToken2(request)', 'token = getToken2(request)'],
    ['the secret: patience', 'the secret: patience'],
    ['', ''],
  ] as const)
    it(`is the key alone: ${JSON.stringify(text.slice(0, 40))}`, () =>
      assert.equal(withholdSecrets(text).text, left));

  it('is a whole private key in JSON, which stays JSON', () => {
    const { text } = withholdSecrets(JSON.stringify({ key: pem, next: 1 }));
    assert.deepEqual(JSON.parse(text), { key: withheldMark, next: 1 });
  });

  it('is a private key up to its end, wherever it stands in a text', () => {
    const above = 'call(1);\n'.repeat(20_000);
    const { text, count } = withholdSecrets(`${above}${pem}\nplain words follow\n`);
    const marks = `${withheldMark}\n`.repeat(4);
    assert.equal(text, `${above}${marks}plain words follow\n`);
    assert.equal(count, 1);
  });

  it('leaves nothing that looks like a key, and every line at its number', () => {
    const parts = [
      pem,
      'sk-proj-aB3dE5fG7hJ9kL1mN',
      'password=',
      'hunter2abc',
      'token',
      ': ',
      '"',
      '\n',
      ' ',
      'eyJ',
      '://a:b1c2d3e4@',
      'Bearer ',
    ];
    let seed = 11;
    const next = (end: number): number => (seed = (seed * 48_271) % 2_147_483_647) % end;
    for (let n = 0; n < 3000; n++) {
      const text = Array.from({ length: 1 + next(9) }, () => parts[next(parts.length)]).join('');
      const { text: left } = withholdSecrets(text);
      assert.ok(!hasSecret(left), JSON.stringify(text));
      assert.equal(left.split('\n').length, text.split('\n').length, JSON.stringify(text));
      assert.equal(withholdSecrets(left).text, left, JSON.stringify(text));
    }
  });

  it('is the same when the lines come in parts', () => {
    const lines = `a\n${pem}\nb\npassword:\n  hunter2abc\nc`.split('\n');
    const whole = withholdSecrets(lines.join('\n')).text;
    for (let cut = 0; cut <= lines.length; cut++) {
      const parts = inTwoParts(lines, cut);
      assert.equal(parts.join('\n'), whole, `cut at ${cut}`);
    }
  });

  it('goes on below a second key whose end has not come', () => {
    const lines = `${pem}\nbetween(1);\n${pem}\nafter(2);`.split('\n');
    for (let cut = 1; cut < lines.length; cut++) {
      const marks = Array<string>(4).fill(withheldMark);
      assert.deepEqual(inTwoParts(lines, cut), [...marks, 'between(1);', ...marks, 'after(2);']);
    }
  });

  it('is the same when the lines of a key without an end come in parts', () => {
    const lines = 'a:\nPrivate-Lines: 2\nqwerty12\nasdfgh34\nb = (1)\nc'.split('\n');
    for (let cut = 0; cut <= lines.length; cut++) {
      const parts = inTwoParts(lines, cut);
      assert.equal(parts.length, lines.length);
      assert.doesNotMatch(parts.join('\n'), /qwerty|asdfgh/, `cut at ${cut}`);
      assert.equal(parts.at(-1), 'c');
    }
  });

  it('takes texts that are made to be slow', () => {
    const begin = '-----BEGIN PRIVATE KEY-----';
    const plain = cpu(fits('an ordinary line of text, with words in it\n'));
    for (const part of [
      begin,
      `${begin}{`,
      `${begin}\n`,
      '-----BEGIN ',
      '-----END PRIVATE KEY-----',
      `${begin}\n-----END `,
    ])
      assert.ok(cpu(fits(part)) < 20 * plain + 400_000, JSON.stringify(part));
  });
});

/** In microseconds. */
function cpu(text: string): number {
  const before = process.cpuUsage();
  withholdSecrets(text);
  return process.cpuUsage(before).user;
}
