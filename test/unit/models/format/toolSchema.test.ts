import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { nameHash, ToolNames, wireCallId } from '../../../../src/models/format/toolNames';
import { ConversionNotes, toolFor, usableTools } from '../../../../src/models/format/toolSchema';
import { cpuMs } from '../../../support/unit/cpuTime';

const wire = /^[A-Za-z0-9_-]{1,64}$/;
const long = `mcp_${'server_'.repeat(12)}tool`;

describe('tool names', () => {
  it('stay as they are where the wire takes them', () => {
    const names = new ToolNames();
    for (const name of ['a', 'read_file', 'A-9', 'x'.repeat(64)])
      assert.equal(names.toWire(name), name);
  });

  it('become readable aliases that do not depend on the other names', () => {
    const alone = new ToolNames().toWire(long);
    const names = new ToolNames();
    names.toWire('other.one');
    names.toWire(`${long}2`);
    assert.equal(names.toWire(long), alone);
    assert.match(alone, /^mcp_server_/);
    assert.match(alone, wire);
    assert.equal(names.fromWire(alone), long);
    assert.notEqual(names.toWire(`${long}2`), alone);
  });

  it('go there and back for any set, each with an alias of its own', () => {
    const any = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 20 }), lists => {
        const given = [...new Set(lists.map(codes => String.fromCharCode(...codes)))];
        // Aliases as names of real tools too.
        const all = [...new Set([...given, ...given.map(name => new ToolNames().toWire(name))])];
        const names = new ToolNames();
        const sent = all.map(name => names.toWire(name));
        assert.equal(new Set(sent).size, all.length);
        for (const name of sent) assert.match(name, wire);
        assert.deepEqual(
          sent.map(name => names.fromWire(name)),
          all,
        );
        const reversed = new ToolNames();
        assert.deepEqual(
          all.toReversed().map(name => reversed.toWire(name)),
          sent.toReversed(),
        );
      }),
    );
  });

  it('stay apart when two hashes are the same', () => {
    const names = new ToolNames(text => nameHash(/^\d /.test(text) ? text : 'all alike'));
    const [a, b] = [names.toWire('a b'), names.toWire('a  b')];
    assert.notEqual(a, b);
    assert.deepEqual([names.fromWire(a), names.fromWire(b)], ['a b', 'a  b']);
  });

  it('that were never sent come back as they are', () => {
    assert.equal(new ToolNames().fromWire('made_up'), 'made_up');
  });

  it('and call ids differ where only a lone surrogate does', () => {
    assert.notEqual(wireCallId('\ud800'), wireCallId('\ud801'));
    assert.match(wireCallId(''), wire);
    assert.equal(wireCallId('call_1'), 'call_1');
  });
});

const described = (description: unknown) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- VS Code passes on whatever an extension gives
  toolFor({ name: 't', description: description as string, schema: {} })?.description;
const tool = (name: string, schema: unknown = {}) => ({ name, description: '', schema });
const parametersOf = (schema: unknown) =>
  toolFor({ name: 't', description: 'd', schema })?.parameters;

describe('the schema of a tool', () => {
  it('shares nothing with the one that came', () => {
    const schema = { type: 'object', properties: { a: { enum: ['x'] } } };
    const before = structuredClone(schema);
    const parameters = parametersOf(Object.freeze(schema));
    assert.deepEqual(parameters, before);
    assert.notEqual(parameters?.['properties'], schema.properties);
  });

  it('merges what stands at its top', () => {
    assert.deepEqual(
      parametersOf({
        description: 'kept',
        properties: { base: { type: 'string' } },
        required: ['base'],
        allOf: [{ properties: { all: {} }, required: ['all'] }, { required: ['base'] }],
        anyOf: [
          { properties: { one: {} }, required: ['one', 'both'] },
          { properties: { two: {}, both: {} }, required: ['both'] },
        ],
        not: { required: ['x'] },
      }),
      {
        type: 'object',
        description: 'kept',
        properties: { base: { type: 'string' }, all: {}, one: {}, two: {}, both: {} },
        required: ['base', 'all', 'both'],
      },
    );
  });

  it('leaves alternatives alone below the top', () => {
    const inner = { oneOf: [{ type: 'string' }, { type: 'null' }] };
    assert.deepEqual(parametersOf({ properties: { a: inner } }), {
      type: 'object',
      properties: { a: inner },
    });
  });

  it('inlines references, those in a circle once', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/a~1b' } } };
    assert.deepEqual(
      parametersOf({ properties: { n: { $ref: '#/$defs/a~1b' } }, $defs: { 'a/b': node } }),
      {
        type: 'object',
        properties: { n: { type: 'object', properties: { next: {} } } },
      },
    );
  });

  for (const { what, schema, parameters } of [
    { what: 'nothing', schema: undefined, parameters: {} },
    { what: 'null', schema: null, parameters: {} },
    { what: 'true', schema: true, parameters: {} },
    {
      what: 'references within lists and by encoded names, and unknown ones',
      schema: {
        properties: {
          a: { $ref: '#/$defs/a%20b/anyOf/1' },
          b: { $ref: '#/$defs/none', title: 'kept' },
          c: { $ref: 'https://elsewhere', type: 'string' },
          d: { $ref: '#/$defs/a~0b' },
          e: { $ref: '#/$defs/toString' },
          f: { $ref: '#/$defs/%' },
        },
        $defs: {
          'a b': { anyOf: [{}, { type: 'number' }] },
          'a~b': { type: 'null' },
          '%': { type: 'integer' },
        },
      },
      parameters: {
        properties: {
          a: { type: 'number' },
          b: { title: 'kept' },
          c: { type: 'string' },
          d: { type: 'null' },
          e: {},
          f: { type: 'integer' },
        },
      },
    },
    {
      what: 'keywords that hold schemas',
      schema: {
        properties: {
          list: { items: { $id: 'x', type: 'string' }, contains: true, minItems: 1 },
          tuple: { items: [{ $comment: 'x' }, false], prefixItems: [] },
          map: { additionalProperties: false, propertyNames: 5, patternProperties: [] },
          named: { dependentSchemas: { a: { $anchor: 'x' }, b: false, c: 5 } },
          gone: false,
          odd: 5,
          needs: { required: ['a', 5], enum: [{ $ref: 'kept' }] },
        },
        dependentSchemas: { p: { $schema: 'x', title: 't' } },
      },
      parameters: {
        dependentSchemas: { p: { title: 't' } },
        properties: {
          list: { items: { type: 'string' }, contains: true, minItems: 1 },
          tuple: { items: [{}, false] },
          map: { additionalProperties: false },
          named: { dependentSchemas: { a: {}, c: {} } },
          odd: {},
          needs: { required: ['a'], enum: [{ $ref: 'kept' }] },
        },
      },
    },
    {
      what: 'alternatives with the same property, of which some are no objects',
      schema: {
        type: ['object', 'null'],
        anyOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { a: { type: 'string' } }, required: ['a', 'b'] },
          { type: 'null' },
        ],
        oneOf: [
          { properties: { a: { type: 'number' } } },
          { properties: { a: { type: 'boolean' } } },
        ],
        if: {},
        const: 1,
        required: ['missing'],
      },
      parameters: {
        properties: {
          a: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
        },
        required: ['a'],
      },
    },
  ])
    it(`is taken with ${what}`, () => {
      assert.deepEqual(parametersOf(schema), { type: 'object', properties: {}, ...parameters });
    });

  it('has a description that the wire takes, or none', () => {
    assert.equal(described('a\ud800b'), 'a\ufffdb');
    for (const none of ['', undefined, 5]) assert.equal(described(none), undefined);
  });

  it('is of 128 tools at most, each name once, and the notes count the others', () => {
    const notes = new ConversionNotes();
    const many = Array.from({ length: 131 }, (_, n) => tool(`t${n}`));
    const usable = usableTools([tool('bad', 5), tool('t0'), ...many], notes);
    assert.deepEqual([usable.length, usable.at(-1)?.name], [128, 't127']);
    assert.deepEqual(notes.lines, [
      'a tool left out: its schema cannot be used',
      'a tool left out: another one has the same name',
      'a tool left out: more than 128 are offered (3 times)',
    ]);
  });

  for (const [what, schema] of Object.entries<unknown>({
    'a text': 'object',
    'a list': [],
    'another type': { type: 'array' },
    'alternatives without an object': { anyOf: [{ type: 'string' }, { type: 'number' }] },
    'too many values': {
      properties: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [n, {}])),
    },
    'too many characters': { description: 'x'.repeat(200_000) },
    'references that grow without end': {
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [
          `d${n}`,
          { properties: { l: { $ref: `#/$defs/d${n + 1}` }, r: { $ref: `#/$defs/d${n + 1}` } } },
        ]),
      ),
    },
    'a getter that throws': {
      get properties(): never {
        throw new Error('no');
      },
    },
  }))
    it(`is refused: ${what}`, () => {
      const ms = cpuMs(() => assert.equal(parametersOf(schema), undefined));
      assert.ok(ms < 1000, `${ms} ms`);
    });

  it('is cut where it is too deep', () => {
    let schema: object = { type: 'string' };
    for (let n = 0; n < 200; n++) schema = { type: 'object', properties: { a: schema } };
    const text = JSON.stringify(parametersOf(schema));
    assert.ok(text.length > 100 && text.length < 3000, text);
  });
});
