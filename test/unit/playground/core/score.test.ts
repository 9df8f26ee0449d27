import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { english } from '../../../../src/base/sentence';
import { readSchema } from '../../../../src/playground/core/jsonSchema';
import type { RunPlan, StepState } from '../../../../src/playground/core/run';
import { isExactMatch, Scorer } from '../../../../src/playground/core/score';
import { done, plan } from '../plans';

const scoreOf = (more: Partial<RunPlan>, states: Record<string, StepState>) =>
  new Scorer(plan(more), english).score(new Map(Object.entries(states)), 0, 0);

describe('the score of an answer', () => {
  it('is exact but for white space at the ends and the kind of line breaks', () => {
    for (const [answer, expected, isMatch] of [
      ['  Paris\n', 'Paris', true],
      ['a\r\nb', 'a\nb', true],
      ['paris', 'Paris', false],
      ['a  b', 'a b', false],
      ['Paris.', 'Paris', false],
      ['{"b":1,"a":[true]}', { a: [true], b: 1 }, true],
      ['{"a":[false]}', { a: [true] }, false],
      ['4', 4, true],
      ['four', 4, false],
      ['null', null, true],
    ] as const)
      assert.equal(isExactMatch(answer, expected), isMatch, answer);
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const isText = typeof value === 'string';
        assert.ok(
          isExactMatch(isText ? value : JSON.stringify(value), JSON.parse(JSON.stringify(value))),
        );
      }),
    );
  });

  it('is given where there is an answer and something to compare with', () => {
    const rows = [{ text: 'p', expected: 'yes' }];
    const exact = { rows, scoring: { kind: 'exact' } } as const;
    assert.deepEqual(scoreOf(exact, { '0.0': done('yes') }), {
      isPassed: true,
      text: 'as expected',
    });
    assert.deepEqual(scoreOf(exact, { '0.0': done('no') }), {
      isPassed: false,
      text: 'not as expected',
    });
    assert.equal(scoreOf(exact, {}), undefined);
    assert.equal(scoreOf(exact, { '0.0': { kind: 'unknown' } }), undefined);
    assert.equal(scoreOf({ rows }, { '0.0': done('yes') }), undefined);
    assert.equal(scoreOf({ scoring: { kind: 'exact' } }, { '0.0': done('yes') }), undefined);
    const reflex = { rows, scoring: { kind: 'reflex', reflex: 'r' } } as const;
    assert.equal(scoreOf(reflex, { '0.0': done('a') }), undefined);
    assert.deepEqual(scoreOf(reflex, { '0.0': done('a'), '0.0.s': done('yes') }), {
      isPassed: true,
      text: 'yes',
    });
    assert.deepEqual(scoreOf(reflex, { '0.0': done('a'), '0.0.s': done('') }), {
      isPassed: false,
      text: 'no label',
    });
    assert.deepEqual(
      scoreOf({ scoring: reflex.scoring }, { '0.0': done('a'), '0.0.s': done('x') }),
      { isPassed: undefined, text: 'x' },
    );
    const classified = {
      rows,
      targets: [{ kind: 'reflex', id: 'r', label: 'r' }],
      scoring: { kind: 'exact' },
    } as const;
    assert.equal(scoreOf(classified, { '0.0': done('yes') })?.isPassed, true);
  });

  it('says where an answer does not match its schema; the schema of the prompt comes first', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const scoring = { kind: 'schema', schema } as const;
    assert.deepEqual(scoreOf({ scoring }, { '0.0': done('{"a":1}') }), {
      isPassed: true,
      text: 'matches the schema',
    });
    const unlike = scoreOf({ scoring }, { '0.0': done('{"a":"x"}') });
    assert.equal(unlike?.isPassed, false);
    assert.match(unlike.text, /^does not match the schema: a: .*"number"/);
    assert.equal(
      scoreOf({ scoring }, { '0.0': done('The answer is {"a":1}') })?.text,
      'does not match the schema: not JSON',
    );
    const own = { rows: [{ text: 'p', schema: { type: 'string' } }], scoring };
    assert.equal(scoreOf(own, { '0.0': done('"x"') })?.isPassed, true);
    assert.equal(scoreOf({ scoring: { kind: 'schema' } }, { '0.0': done('{}') }), undefined);
  });
});

/** What is wrong with 5 by a schema of this draft. */
const problemOfFive = (uri: string, more: object = {}): string | undefined =>
  readSchema({
    $schema: uri,
    $ref: '#/definitions/a',
    maximum: 3,
    definitions: { a: { type: 'number', ...more } },
  }).problemOf('5');

describe('a JSON schema', () => {
  // Cases of the JSON Schema documents, drafts 7 and 2020-12: valid values, then others.
  const cases: readonly [schema: Record<string, unknown>, valid: unknown[], not: unknown[]][] = [
    [{}, [1, 'a', null, {}], []],
    [{ required: ['a'] }, [{ a: 1 }, 5], [{}]],
    [{ minimum: 3 }, [3, 'a'], [2]],
    [{ if: { required: ['a'] }, else: { required: ['b'] } }, [{ a: 1 }, { b: 1 }], [{}]],
    [{ not: { type: 'string' } }, [1], ['a']],
    [{ type: 'integer' }, [1, 1.0, -3], [1.5, '1', null]],
    [{ type: ['string', 'null'] }, ['a', null], [1]],
    [{ enum: ['a', 1] }, ['a', 1], ['b', 2, '1']],
    [{ const: 5 }, [5], [6, '5']],
    [
      { type: 'object', properties: { a: { type: 'string' } } },
      [{}, { a: 'x', b: 1 }],
      [{ a: 1 }, []],
    ],
    [{ type: 'object', required: ['a'] }, [{ a: null }], [{}, { b: 1 }]],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      [{}, { a: 1 }],
      [{ b: 1 }],
    ],
    [
      { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 2 },
      [[1], [1, 2]],
      [[], ['a'], [1, 2, 3], {}],
    ],
    [
      { type: 'array', uniqueItems: true },
      [[1, 2]],
      [
        [1, 1],
        [{ a: 1 }, { a: 1 }],
      ],
    ],
    [
      { type: 'string', minLength: 2, maxLength: 3, pattern: '^a' },
      ['ab', 'abc'],
      ['a', 'abcd', 'bc', 1],
    ],
    [{ type: 'number', minimum: 1, exclusiveMaximum: 3, multipleOf: 0.5 }, [1, 2.5], [0.5, 3, 1.2]],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, ['a', 1], [true, null]],
    [
      {
        oneOf: [
          { type: 'number', minimum: 5 },
          { type: 'number', maximum: 10 },
        ],
      },
      [1, 11],
      [7],
    ],
    [
      {
        allOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      [{ a: 1, b: 2 }],
      [{ a: 1 }],
    ],
    [
      {
        type: 'object',
        properties: { next: { $ref: '#/$defs/node' } },
        $defs: {
          node: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        },
      },
      [{}, { next: { n: 1 } }],
      [{ next: {} }, { next: { n: 'x' } }],
    ],
  ];

  it('accepts and refuses as the JSON Schema documents say', () => {
    for (const [schema, valid, others] of cases) {
      const checkable = readSchema(schema);
      for (const value of valid) {
        const text = JSON.stringify(value);
        assert.equal(checkable.problemOf(text), undefined, `${JSON.stringify(schema)}: ${text}`);
      }
      for (const value of others) {
        const text = JSON.stringify(value);
        assert.ok(checkable.problemOf(text) !== undefined, `${JSON.stringify(schema)}: ${text}`);
      }
    }
  });

  it('is read by its draft: what stands beside a reference counts from 2019-09 on', () => {
    for (const draft of ['draft-04', 'draft-06', 'draft-07'])
      assert.equal(problemOfFive(`http://json-schema.org/${draft}/schema#`), undefined, draft);
    for (const draft of ['2019-09', '2020-12'])
      assert.ok(problemOfFive(`https://json-schema.org/draft/${draft}/schema`), draft);
    const isLess = { maximum: 5, exclusiveMaximum: true };
    assert.ok(problemOfFive('http://json-schema.org/draft-04/schema#', isLess));
  });

  it('is left as it is, and refused where it cannot be checked', () => {
    const schema = {
      type: 'object',
      $defs: { a: { type: 'string' } },
      properties: { x: { $ref: '#/$defs/a' } },
    };
    const before = JSON.stringify(schema);
    readSchema(schema).problemOf('{"x":1}');
    assert.equal(JSON.stringify(schema), before);
    for (const broken of [
      { $ref: 'other.json' },
      { $ref: '#/$defs/none' },
      { properties: { a: { $ref: '#/constructor' } } },
      { items: [{ pattern: '(' }] },
    ])
      assert.throws(() => readSchema(broken));
    readSchema({ const: { $ref: 'a value' }, $ref: '#' });
    readSchema({
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a~1b',
      definitions: { 'a/b': {} },
    });
  });
});
