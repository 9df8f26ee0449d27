import assert from 'node:assert/strict';
import type { Header } from '../../../../../src/compact/core/segments/headerLines';
import {
  chooseStyle,
  frequentNames,
  outsideFences,
} from '../../../../../src/compact/core/segments/headerStyle';
import { speakerBit } from '../../../../../src/compact/core/segments/segment';

const speakers = {
  u: speakerBit.user,
  a: speakerBit.assistant,
  t: speakerBit.tool,
  s: speakerBit.system,
} as const;
const header = (start: number, speaker: number, more: Partial<Header> = {}): Header => ({
  start,
  style: '#',
  name: 'name',
  speaker,
  isCall: false,
  hasText: false,
  ...more,
});

/** A header for each letter, from `start` on. */
const headersOf = (letters: string, style: string, start = 0, more: Partial<Header> = {}) =>
  letters
    .split('')
    .map((letter, index) =>
      header(start + index, Reflect.get(speakers, letter), { style, ...more }),
    );

const named = (names: string, style = '#') =>
  names.split(' ').map((name, start) => header(start, speakerBit.assistant, { name, style }));
const namesLeft = (headers: Header[]) => frequentNames(headers).map(({ name }) => name);
const fence = (start: number, isBare: boolean, length = 3) => ({ start, length, isBare });

describe('the style of the headers of a chat', () => {
  for (const { what, styles, chosen } of [
    { what: 'none', styles: {}, chosen: undefined },
    { what: 'one with both sides', styles: { '#': 'ua' }, chosen: '#' },
    { what: 'an agent that calls and gets results', styles: { '#': 'atat' }, chosen: '#' },
    { what: 'an agent whose one call is no change', styles: { '#': 't' }, chosen: undefined },
    {
      what: 'plain labels that change too rarely for an agent',
      styles: { ':': 'atata' },
      chosen: undefined,
    },
    { what: 'plain labels that change often', styles: { ':': 'atatat' }, chosen: ':' },
    { what: 'one side, three times', styles: { '#': 'aaa' }, chosen: '#' },
    { what: 'one side, twice', styles: { '#': 'aa' }, chosen: undefined },
    { what: 'plain labels of the user alone', styles: { ':': 'uuu' }, chosen: ':' },
    { what: 'plain labels of the assistant alone', styles: { ':': 'aaa' }, chosen: undefined },
    { what: 'tools alone', styles: { '#': 'ttt' }, chosen: undefined },
    {
      what: 'both sides rather than more of one',
      styles: { '#': 'aaaaa', '*': 'ua' },
      chosen: '*',
    },
    { what: 'the one side that is named most', styles: { '#': 'aaa', '*': 'aaaa' }, chosen: '*' },
    { what: 'the earlier of two alike', styles: { '#': 'uaua', '*': 'uaua' }, chosen: '#' },
    {
      what: 'a later one with more than four times as many changes',
      styles: { '#': 'ua', '*': 'uauauauau' },
      chosen: '*',
    },
    {
      what: 'not a later one with four times as many changes',
      styles: { '#': 'ua', '*': 'uauauaua' },
      chosen: '#',
    },
    {
      what: 'the earlier one, which has six changes, whatever comes later',
      styles: { '#': 'uauaua', '*': 'ua'.repeat(20) },
      chosen: '#',
    },
  ] as { what: string; styles: Record<string, string>; chosen: string | undefined }[])
    it(`is ${what}`, () => {
      const entries = Object.entries(styles).map(
        ([style, letters], at) => [style, headersOf(letters, style, 100 * at)] as const,
      );
      assert.equal(chooseStyle(new Map(entries)), chosen);
      // The order in which the styles were found does not matter.
      assert.equal(chooseStyle(new Map(entries.toReversed())), chosen);
    });

  it('is one of steps, whoever makes them', () => {
    const steps = headersOf('ttt', '#', 0, { isStep: true });
    assert.equal(chooseStyle(new Map([['#', steps]])), '#');
    const mixed = [...steps, header(9, speakerBit.tool)];
    assert.equal(chooseStyle(new Map([['#', mixed]])), undefined);
  });
});

describe('the names of headers', () => {
  it('count when they are at least a fifth of the most frequent one of a speaker', () => {
    assert.equal(namesLeft(named('a a a a a b')).length, 6);
    assert.equal(namesLeft(named('a a a a a a b')).length, 6);
    assert.equal(namesLeft(named('b a a a a a a')).length, 6);
    const user = header(9, speakerBit.user, { name: 'you' });
    assert.deepEqual(namesLeft([...named('a a a a a a'), user]).at(-1), 'you');
  });

  it('do not count where they are common words before a colon', () => {
    const names = 'output system model assistant';
    assert.deepEqual(namesLeft(named(names, ':')), ['assistant']);
    assert.deepEqual(namesLeft(named(names)), names.split(' '));
    assert.deepEqual(namesLeft([]), []);
  });
});

describe('headers within fences', () => {
  for (const { what, fences, left } of [
    { what: 'all count without fences', fences: [], left: [10, 20, 30] },
    {
      what: 'those of a closed block do not count',
      fences: [fence(15, false), fence(25, true)],
      left: [10, 30],
    },
    {
      what: 'a block that is never closed ends at the next header',
      fences: [fence(15, false)],
      left: [10, 20, 30],
    },
    {
      what: 'a block that another one follows was never closed',
      fences: [fence(15, false), fence(25, false), fence(35, true)],
      left: [10, 20],
    },
    {
      what: 'a shorter fence closes no block',
      fences: [fence(5, false, 4), fence(15, true), fence(25, true, 4)],
      left: [30],
    },
    {
      what: 'a shorter fence opens none within a block',
      fences: [fence(5, false, 4), fence(15, false), fence(25, true, 4)],
      left: [30],
    },
    {
      what: 'two blocks stand between headers',
      fences: [fence(11, false), fence(12, true), fence(13, true), fence(14, true)],
      left: [10, 20, 30],
    },
  ])
    it(what, () => {
      const headers = [10, 20, 30].map(start => header(start, speakerBit.user));
      assert.deepEqual(
        outsideFences(headers, fences).map(({ start }) => start),
        left,
      );
    });
});
