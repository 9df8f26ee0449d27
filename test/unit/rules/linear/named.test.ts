import assert from 'node:assert/strict';
import { columnNames } from '../../../../src/base/table/tableFormat';
import { nestingProblem, parseJson } from '../../../../src/base/typeGuards';
import { readMarkdown } from '../../../../src/markdown/codeBlocks';
import { hasSecret } from '../../../../src/platform/egress/secrets/secretText';
import { createEventParser } from '../../../../src/service/stream/eventParser';
import { applyMessage } from '../../../../src/service/wire/apply';
import { clientOf } from '../../../bench/hostile/client';
import { cpuMs } from '../../../bench/hostile/recipes';

describe('texts that once stopped the window', () => {
  it('a line of 100,000 quote marks, which took hours from 40 on', () =>
    assert.deepEqual(readMarkdown('> '.repeat(100_000)).blocks, []));

  it('a fence longer than an expression can repeat a character', () => {
    const fence = '`'.repeat(200_000);
    assert.equal(readMarkdown(`${fence}\na\n${fence}\nb`).blocks[0]?.text, 'a');
  });

  it('beginnings of a web token, one in the other', () => {
    assert.equal(hasSecret('eyJ-'.repeat(250_000)), false);
    const part = 'eyJhbGciOiJIUzI1NiJ9';
    assert.equal(hasSecret(`${'eyJ-'.repeat(1000)}${part}.${part}.c2lnbmF0dXJl`), true);
    assert.equal(hasSecret(`${part}.short.${part}.${part}.c2lnbmF0dXJl`), true);
    assert.equal(hasSecret(`x${part}.${part}.c2lnbmF0dXJl`), false);
  });

  it('columns of one name', () => {
    const names = columnNames(
      Array.from({ length: 50_000 }, () => 'a'),
      {
        kind: 'csv',
        delimiter: ',',
        hasHeader: true,
      },
    );
    assert.deepEqual(names.slice(0, 3), ['a', 'a 2', 'a 3']);
    assert.equal(new Set(names).size, 50_000);
  });

  it('a file that holds every suffix for the tags of Apply', () => {
    const original = `</code>${Array.from({ length: 20_000 }, (_, at) => `_s${at}`).join(' ')}`;
    const { content, restore } = applyMessage({ original, update: 'a' });
    const [, suffix = ''] = /<\/code(_s\d+)>/.exec(content) ?? [];
    assert.equal(original.includes(suffix), false);
    assert.ok(restore(content).includes(original));
  });
});

describe('JSON that nests', () => {
  const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;

  it('deeper than an answer is refused before it is parsed, with the reason', async () => {
    assert.equal(nestingProblem(deep), 'JSON nests deeper than 500 levels');
    assert.equal(parseJson(deep), undefined);
    const { signal } = new AbortController();
    const request = {
      model: 'svc-glm52-744b',
      messages: [{ role: 'user', content: 'go' }],
    } as const;
    const call = clientOf('application/json', `{"a":${deep}}`).chat(request, { signal });
    await assert.rejects(call, { kind: 'tooLarge', message: /nests deeper than 500 levels/ });
  });

  it('in more lists than an answer has is refused', () =>
    assert.match(nestingProblem(`[${'[],'.repeat(600_000)}[]]`) ?? '', /more than 500000 lists/));

  it('only in its texts is parsed', () => {
    const text = JSON.stringify({ text: `\\"${'[{'.repeat(400_000)}` });
    assert.equal(nestingProblem(text), undefined);
    assert.notEqual(parseJson(text), undefined);
  });
});

const parse = (text: string): void =>
  createEventParser({
    maxBufferSize: 1 << 20,
    onEvent: () => undefined,
    onOverflow: () => undefined,
  }).feed(text);

describe('a stream of events', () => {
  it('costs no error for each line of an unknown field', async () => {
    parse('x: y\n'.repeat(1000));
    const known = await cpuMs(() => parse('id: y\n'.repeat(50_000)), 5);
    const unknown = await cpuMs(() => parse('ix: y\n'.repeat(50_000)), 5);
    // With an error for each it was several hundred times as much.
    assert.ok(unknown < 30 * Math.max(1, known), `${unknown} ms, ${known} ms for known fields`);
  });

  it('says when an event is too large, at once', () => {
    const events: string[] = [];
    let overflows = 0;
    const parser = createEventParser({
      maxBufferSize: 10,
      onEvent: ({ data }) => events.push(data),
      onOverflow: () => overflows++,
    });
    parser.feed('data: a\n\ndata: ');
    assert.deepEqual([events, overflows], [['a'], 0]);
    parser.feed('x'.repeat(20));
    assert.deepEqual([events, overflows], [['a'], 1]);
  });
});
