import { readFileSync } from 'node:fs';

/** A question, and the files that answer it; a line of the first one that must be shown. */
export const searchQuestions: [question: string, right: string[], line?: string][] = [
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

/** An invented project with a history, oldest commit first. */
export function readSearchProject(): {
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
