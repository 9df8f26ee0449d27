// How long the view of 500 endpoints with 2,000 events each takes to be drawn again, next to reading
// the same answers with `JSON.parse` alone.
import { type Details, endpointRows } from '../../src/endpoints/endpointRows';
import { RowTree } from '../../src/host/rows';
import { endpoint, event, fleetOf, minuteMs, startMs, status, t } from '../unit/endpoints/support';
import { median } from './median';

const rounds = 15;
const endpoints = Array.from({ length: 500 }, (_, n) =>
  endpoint(`e${n}`, n % 2 ? 'ready' : 'deploying'),
);
const events = Array.from({ length: 2000 }, (_, n) =>
  event('deployment.started', startMs - (2000 - n) * minuteMs, ['merged', 'deploying']),
);
const details = new Map<string, Details>(
  endpoints.map(({ id, state }) => [id, { status: status(id, state, { events }), at: startMs }]),
);

const timed = (run: () => unknown): number => {
  const from = performance.now();
  run();
  return performance.now() - from;
};

const tree = new RowTree();
let fleet = fleetOf(endpoints);
const draw = (nowMs: number): void => {
  fleet = fleetOf(endpoints, nowMs, fleet);
  tree.update(
    endpointRows({
      fleet,
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
