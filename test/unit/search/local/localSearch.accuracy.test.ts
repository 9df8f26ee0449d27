import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type LocalResult, localSearch } from '../../../../src/search/local/localSearch';
import { assertApproved } from '../../../support/unit/approved';
import { commitAll } from '../repository';
import { TestWorkspace } from '../workspace';

/** A question, and the files that answer it; a line of the first one that must be shown. */
const questions: [question: string, right: string[], line?: string][] = [
  ['where is the signature of a webhook checked', ['src/http/signature.ts'], 'timingSafeEqual'],
  ['retry a request when the server is busy', ['src/http/client.ts', 'src/util/backoff.ts']],
  [
    'an order that arrives twice is stored twice',
    ['src/orders/duplicates.ts', 'src/orders/receive.ts'],
  ],
  ['split quoted fields of csv', ['src/util/csv.ts'], 'quoted = !quoted'],
  ['importing a csv leaves rows out', ['src/orders/import.ts'], 'leftOut.push(row)'],
  ['parcel too heavy', ['src/orders/validate.ts'], 'too heavy'],
  ['nearest stop first', ['src/routes/planner.ts'], 'function nearest'],
  ['maxStops', ['src/routes/planner.ts', 'src/settings.ts', 'src/jobs/nightly.ts']],
  ['time windows of stops in the route planner', ['src/routes/planner.ts']],
  ['kilometres between two coordinates', ['src/routes/distance.ts'], 'earthRadius'],
  ['sick couriers should not be assigned routes', ['src/routes/couriers.ts'], 'sick = false'],
  ['the check digit of a barcode is wrong', ['src/labels/barcode.ts'], 'checkDigit'],
  ['printer queue hangs without paper', ['src/labels/printer.ts'], 'PrinterQueue'],
  ['discounts for frequent senders', ['src/pricing/discount.ts'], 'discountFor'],
  ['fuel surcharge', ['src/pricing/surcharge.ts', 'src/pricing/tariff.ts']],
  ['round the invoice total to cents', ['src/pricing/invoice.ts'], 'Math.round'],
  ['how is the price of a parcel calculated', ['src/pricing/tariff.ts'], 'priceOf'],
  [
    'customers who muted notifications still get messages',
    ['src/notify/preferences.ts', 'src/tracking/events.ts'],
  ],
  ['text message longer than 160 characters', ['src/notify/sms.ts'], 'maxLength'],
  ['placeholders in message templates', ['src/notify/templates.ts'], 'replace'],
  ['database connection pool idle timeout', ['src/db/connection.ts'], 'idleTimeout'],
  ['close db connections', ['src/db/connection.ts'], 'disconnect'],
  ['cache eviction of the least recently used entry', ['src/util/cache.ts'], 'entries.delete'],
  [
    'tracking page shows an error for unknown parcels',
    ['web/tracking.js', 'src/tracking/track.ts'],
    'showError',
  ],
  ['dark mode', ['web/darkMode.js', 'web/theme.css'], 'toggleTheme'],
  ['environment variables with default settings', ['src/settings.ts'], 'readSettings'],
  ['leftover stops of the nightly plan', ['src/jobs/nightly.ts', 'src/routes/planner.ts']],
  ['when are invoices sent', ['src/jobs/invoices.ts', 'src/jobs/scheduler.ts']],
  ['geocode an address', ['tools/geocode.py'], 'def geocode'],
  ['remove phone numbers from exported data', ['tools/anonymize.py'], 'PHONE'],
  ['tests of the tariff', ['test/tariff.test.ts']],
  ['documentation of webhooks', ['docs/webhooks.md']],
  ['example for importing orders', ['examples/importOrders.ts']],
  ['record a scan of a courier', ['src/tracking/events.ts'], 'recordScan'],
  ['validation of the postcode', ['src/orders/validate.ts'], 'postcode'],
  ['insert orders into the database', ['src/orders/store.ts'], 'INSERT'],
];

/**
 * Up to 10,000 points: 5,000 for the first right file at the first place, half as much at the second
 * and so on; 2,000 for the share of right files among the first three; 1,000 for the line; 2,000 for
 * how far the best right file is ahead of the best wrong one.
 */
function pointsOf(
  results: readonly LocalResult[],
  right: readonly string[],
  showsLine: boolean,
): number {
  const paths = [...new Set(results.map(result => result.path))];
  const place = paths.findIndex(file => right.includes(file));
  if (place < 0) return 0;
  const found = paths.slice(0, 3).filter(file => right.includes(file)).length;
  const scoreOf = (isRight: boolean): number =>
    Math.max(
      0,
      ...results.filter(one => right.includes(one.path) === isRight).map(one => one.score),
    );
  const lead = scoreOf(true) / (scoreOf(true) + scoreOf(false));
  return (
    5000 / (place + 1) +
    (2000 * found) / Math.min(3, right.length) +
    1000 * Number(showsLine) +
    2000 * lead
  );
}

function readProject(): {
  files: Record<string, string>;
  commits: [subject: string, files: string[]][];
} {
  const text = readFileSync('test/fixtures/quality/search.txt', 'utf8');
  const files: Record<string, string> = {};
  for (const part of text.split(/^=== /m).slice(1)) {
    const end = part.indexOf('\n');
    files[part.slice(0, end)] = part.slice(end + 1);
  }
  const { history = '', ...sources } = files;
  const commits = history
    .trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [subject = '', changed = ''] = line.split(': ');
      return [subject, changed.split(' ')];
    });
  return { files: sources, commits: commits.reverse() };
}

describe('localSearch on an invented project', () => {
  const { files, commits } = readProject();
  let workspace: TestWorkspace;
  before(() => {
    workspace = new TestWorkspace(files);
    commitAll(workspace.root, commits);
  });
  after(() => workspace.remove());

  async function search(question: string, withHistory: boolean): Promise<LocalResult[]> {
    const { root } = workspace;
    let usedHistory = false;
    const results = await localSearch(root, question, {
      limit: 10,
      rgPath: path.join(root, 'no-such-program'),
      ...(withHistory ? { git: { dir: root, rev: 'HEAD' } } : {}),
      onSummary: summary => {
        usedHistory = summary.usedHistory;
      },
    });
    assert.equal(usedHistory, withHistory);
    return results;
  }

  it('shows the same places', async () => {
    const lines: string[] = [];
    for (const withHistory of [false, true])
      for (const [question] of questions) {
        lines.push(`== ${question}${withHistory ? ', with a history' : ''}`);
        for (const one of (await search(question, withHistory)).slice(0, 8))
          lines.push(`${one.path}:${one.startLine}-${one.endLine} ${one.score.toFixed(3)}`);
      }
    assertApproved('searchAnswers', [...lines, ''].join('\n'));
  });

  async function points(withHistory: boolean): Promise<{ total: number; report: string }> {
    let total = 0;
    const report: string[] = [];
    for (const [question, right, line] of questions) {
      const results = await search(question, withHistory);
      const showsLine =
        line === undefined ||
        results.some(
          one =>
            one.path === right[0] &&
            (files[one.path] ?? '')
              .split('\n')
              .slice(one.startLine - 1, one.endLine)
              .join('\n')
              .includes(line),
        );
      const score = pointsOf(results, right, showsLine);
      total += score;
      report.push(
        `${Math.round(score)} ${question}: ${[...new Set(results.map(one => one.path))].slice(0, 4).join(' ')}`,
      );
    }
    return { total: Math.floor(total / questions.length), report: report.join('\n') };
  }

  // Raise a number when the search has become better. Lowering one needs a reason.
  it('is as good as it was without a history', async () => {
    const { total, report } = await points(false);
    assert.ok(total >= 9123, `${total} of 10,000 points\n${report}`);
  });

  it('is as good as it was with a history', async () => {
    const { total, report } = await points(true);
    assert.ok(total >= 9011, `${total} of 10,000 points\n${report}`);
  });
});
