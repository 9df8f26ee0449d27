import assert from 'node:assert/strict';
import { type Allowed, allowed } from './allowed';
import { expressionsIn, expressionsOf } from './expressions';
import { type Growth, growthOf } from './growth';

/** What an expression costs, by the kind of its growth. */
const cases: Record<Growth['kind'], readonly RegExp[]> = {
  exponential: [
    /(a+)+b/,
    /^(?:a*)*b/,
    /^(?:a|b|ab)*c/,
    /^((?:[ \t]|> ?|[-*+] +|\d+[.)] +)*)(`{3,}|~{3,})\s*([^`]*)$/,
    /^(?:\w+\s?)*$/,
    /(?=(?:a|aa)+b)a/,
  ],
  polynomial: [
    // The search starts again at each character of a run.
    /\s+$/,
    /a+b/,
    /<x>[^]*?<\/x>/g,
    /a(?=.*b)/g,
    /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,}/,
    /^\s*x/m,
    /"[^"]{0,500}a"|b[^c]{0,500}c/,
    // Two parts share a run.
    /^.*,.*,.*$/,
    /^\s*(.*?)\s*(?:--)?\s*$/,
    /^["'(]*[A-Za-z']+["')]*$/,
    /^[)\]}>]*[)\]}][;,)]*\s*$/,
  ],
  linear: [
    /^\s+$/,
    /"[^"]*"/g,
    /^a*b*c/,
    /\s+/g,
    /^\s*(?:if|for)\b/,
    /^#{1,6} /m,
    /(?:a|b|c)+d?/,
    /\.eyJ[\w-]{10,}(?=\.[\w-]{5})/g,
    /\bBearer\s{1,4}[\w.~+/-]{16,}/i,
  ],
  undecided: [/^(['"])[^'"]*\1$/],
};

describe('the growth of a regular expression', () => {
  for (const [kind, expressions] of Object.entries(cases))
    for (const expression of expressions)
      it(`is ${kind} for ${String(expression)}`, () =>
        assert.equal(growthOf(expression.source, expression.flags).kind, kind));
});

describe('the regular expressions of a module', () => {
  it('are found where they stand and where they are put together', () => {
    const found = expressionsIn(
      'a.ts',
      [
        'const part = `a${1}`;',
        'const other: RegExp = /x+y/g;',
        'export const both = new RegExp(`^${part}` + other.source, "i");',
        "export const list = new RegExp(['b', 'c'].join('|'));",
        'export const given = (text: string) => new RegExp(text, text);',
      ].join('\n'),
    );
    assert.deepEqual(
      found.map(({ source, flags }) => [source, flags]),
      [
        ['x+y', 'g'],
        ['^a1x+y', 'i'],
        ['b|c', ''],
        [undefined, 'gim'],
      ],
    );
  });

  it('fail the build where a planted one is exponential or quadratic', () => {
    const planted = expressionsIn('planted.ts', 'f(/^(?:a|a)*$/); f(/ +$/); f(/^ +$/);');
    assert.deepEqual(faultsOf(planted), [
      'planted.ts: /^(?:a|a)*$/ is exponential (two ways round one loop)',
      'planted.ts: / +$/ is polynomial (Move)',
    ]);
  });
});

describe('the regular expressions of the extension', () => {
  const found = expressionsOf('src');

  it('are read', () => assert.ok(found.length > 300));

  it('take time that grows with the text and not faster', () =>
    assert.deepEqual(faultsOf(found), []));

  it('are excused only where they need it, and each excuse is of one expression', () =>
    assert.deepEqual(
      allowed.map(each => [
        each.code,
        found.filter(expression => isOf(expression, each) && faultOf(expression)).length,
      ]),
      allowed.map(({ code }) => [code, 1]),
    ));
});

type Found = ReturnType<typeof expressionsOf>[number];

const isOf = ({ file, code }: Found, excuse: Allowed): boolean =>
  file === excuse.file && code.startsWith(excuse.code);

function faultOf({ file, code, source, flags }: Found): string | undefined {
  if (source === undefined) return `${file}: ${code} is not constant`;
  const { kind, why } = growthOf(source, flags);
  return kind === 'linear' ? undefined : `${file}: ${code} is ${kind} (${why ?? ''})`;
}

function faultsOf(expressions: readonly Found[]): string[] {
  return expressions.flatMap(each => {
    return allowed.some(excuse => isOf(each, excuse)) ? [] : (faultOf(each) ?? []);
  });
}
