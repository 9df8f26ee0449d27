import assert from 'node:assert/strict';
import { isRecord, nestingProblem, parseJson, textOf } from '../../../src/base/typeGuards';

const nested = (depth: number, rest = ''): string =>
  `[${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}${rest}]`;
/** Makes a text longer than those that are parsed whatever they contain. */
const filler = `,"${'x'.repeat(1 << 16)}"`;

describe('isRecord', () => {
  it('is true of objects only', () => {
    assert.deepEqual([{}, { a: 1 }].map(isRecord), [true, true]);
    assert.ok(![null, undefined, [], 'a', 1, true].some(isRecord));
  });
});

describe('textOf', () => {
  it('is the text, and nothing for anything else', () => {
    assert.deepEqual(['a', '', 1, null, {}].map(textOf), [
      'a',
      '',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('JSON that would block the window', () => {
  it('nests deeper than 500 levels, in a long text', () => {
    assert.equal(nestingProblem(nested(500, filler)), undefined);
    assert.match(nestingProblem(nested(501, filler)) ?? '', /deeper than 500/);
    assert.match(nestingProblem(`${'{"a":'.repeat(501)}1${filler}`) ?? '', /deeper than 500/);
    assert.equal(nestingProblem(nested(501)), undefined);
    assert.equal(parseJson(nested(501, filler)), undefined);
    assert.ok(parseJson(nested(501)));
  });

  it('does not nest by what is closed again or stands in a string', () => {
    assert.equal(nestingProblem(`[${'{},[],'.repeat(2000)}1${filler}]`), undefined);
    for (const text of ['['.repeat(600), `\\"${'{'.repeat(600)}`, `\\\\\\"${'['.repeat(600)}`]) {
      assert.equal(nestingProblem(`["${text}","a"${filler}]`), undefined);
    }
    assert.match(nestingProblem(`["\\\\",${nested(501)}${filler}]`) ?? '', /deeper/);
    assert.match(nestingProblem(`["",${nested(501)}${filler}]`) ?? '', /deeper/);
    assert.equal(nestingProblem(`"${'['.repeat(1 << 17)}`), undefined);
  });

  it('holds more than 500,000 lists and objects', () => {
    assert.equal(nestingProblem(`[${'[],'.repeat(499_998)}{}]`), undefined);
    assert.match(nestingProblem(`[${'[],'.repeat(499_999)}{}]`) ?? '', /more than 500000/);
  });
});

describe('parseJson', () => {
  it('gives the value, or nothing for a damaged text', () => {
    assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] });
    assert.deepEqual(['{"a"', '', 'sk-canary'].map(parseJson), [undefined, undefined, undefined]);
  });

  it('leaves the stacks of other errors as they were', () => {
    const { stackTraceLimit } = Error;
    parseJson('{');
    parseJson('{}');
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });
});
