import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RowData } from '../../../src/platform/tree/rows';

/** All that a user can see, hear, copy or run of the rows of a view: a line for each of it. */
export function outlineOf(rows: readonly RowData[], indent = ''): string {
  const lines = rows.map(row => {
    const { label, description, icon, fold, children = [], id, context, tooltip, spoken } = row;
    const { value, subject, command } = row;
    const own: [name: string, text: string | undefined][] = [
      ['id', `${id} ${context}${subject === undefined ? '' : ` of ${subject}`}`],
      ['icon', icon && [icon.id, icon.color].filter(Boolean).join(' ')],
      ['tooltip', tooltip?.replaceAll('\n', ' / ')],
      ['spoken', spoken],
      ['value', value],
      ['command', command && JSON.stringify(command)],
    ];
    return [
      `${indent}${fold === 'open' ? '- ' : fold === 'closed' ? '+ ' : ''}${label}`,
      ...(description === undefined ? [] : [` [${description}]`]),
      '\n',
      ...own.map(([name, text]) => (text === undefined ? '' : `${indent}    ${name}: ${text}\n`)),
      outlineOf(children, `${indent}  `),
    ].join('');
  });
  return lines.join('');
}

/**
 * Compares with a text that somebody has read and found right. After a change that is meant, run the
 * tests with APPROVE=1, and read the difference before it is committed.
 */
export function assertApproved(name: string, text: string): void {
  const file = path.join('test/fixtures/approved', `${name}.txt`);
  if (process.env['APPROVE']) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
}

/** Runs the tests of a suite in a time zone that does not depend on the machine. */
export function useUtc(): void {
  const own = process.env['TZ'];
  before(() => {
    process.env['TZ'] = 'UTC';
  });
  after(() => {
    if (own === undefined) delete process.env['TZ'];
    else process.env['TZ'] = own;
  });
}
