// How long the view of 500 endpoints with 2,000 events each takes to be drawn again, next to reading
// the same answers with `JSON.parse` alone.

import { endpointRows } from '../../src/endpoints/tree/endpointRows';
import type { EndpointDetails } from '../../src/endpoints/tree/rowsInput';
import { RowTree } from '../../src/platform/tree/rows';
import {
  endpoint,
  event,
  minuteMs,
  snapshotOf,
  startMs,
  status,
  t,
} from '../unit/endpoints/core/support';
import { median } from './median';

const rounds = 15;
const endpoints = Array.from({ length: 500 }, (_, n) =>
  endpoint(`e${n}`, n % 2 ? 'ready' : 'deploying'),
);
const events = Array.from({ length: 2000 }, (_, n) =>
  event('deployment.started', startMs - (2000 - n) * minuteMs, ['merged', 'deploying']),
);
const details = new Map<string, EndpointDetails>(
  endpoints.map(({ id, state }) => [id, { status: status(id, state, { events }), at: startMs }]),
);

const timed = (run: () => unknown): number => {
  const from = performance.now();
  run();
  return performance.now() - from;
};

const tree = new RowTree();
let snapshot = snapshotOf(endpoints);
const draw = (nowMs: number): void => {
  snapshot = snapshotOf(endpoints, nowMs, snapshot);
  tree.update(
    endpointRows({
      snapshot,
      nowMs,
      details,
      dismissed: new Set(),
      watched: new Set(),
      shownEvents: new Map(),
      t,
      commands: { moreEvents: 'more', retry: 'retry' },
    }),
  );
};
const first = timed(() => draw(startMs));
const again = median(
  Array.from({ length: rounds }, (_, n) => timed(() => draw(startMs + (n + 1) * minuteMs))),
);
const answer = JSON.stringify(status('e1', 'ready', { events }));
const parsed = median(
  Array.from({ length: rounds }, () =>
    timed(() => {
      for (let n = 0; n < endpoints.length; n++) JSON.parse(answer);
    }),
  ),
);
console.log(`drawn at first       ${first.toFixed(0)} ms`);
console.log(
  `drawn again          ${again.toFixed(0)} ms, ${(again / parsed).toFixed(2)} x JSON.parse`,
);
console.log(`JSON.parse alone     ${parsed.toFixed(0)} ms`);
