import assert from 'node:assert/strict';
import { timeOfDay } from '../../../../src/base/format/times';
import { notifyWait, withWaitListener } from '../../../../src/platform/client/waitListener';
import { retryWaitText } from '../../../../src/platform/polling/retryWaitText';
import { ServiceError } from '../../../../src/service/errors';
import { startFaultServer } from '../../../service/faultServer';
import { edit, hastyClient, never } from '../../service/helpers';

const t = (message: string, ...args: (string | number)[]) =>
  message.replace(/\{(\d)\}/g, (_, place: string) => String(args[Number(place)]));

describe('waits of calls', () => {
  it('are told to the task that made the call, and to no other', async () => {
    const server = await startFaultServer();
    const told: string[] = [];
    const { client } = hastyClient(server.url, { onWait: notifyWait });
    const task = (name: string, fault: 'retryAfterSeconds' | 'ok') =>
      withWaitListener(
        ({ error }) => told.push(`${name} ${error.kind}`),
        async () => {
          server.script(fault, 'ok');
          await client.apply(edit, { signal: never() });
        },
      );
    await task('first', 'retryAfterSeconds');
    await task('second', 'ok');
    server.script('status500', 'ok');
    await client.apply(edit, { signal: never() });
    assert.deepEqual(told, ['first rateLimited']);
    await server.close();
  });

  it('are said in words, with the time of the next try', () => {
    const retryAt = Date.UTC(2026, 10, 20, 12);
    const limited = retryWaitText({ retryAt, error: new ServiceError('rateLimited', 'x') }, t);
    assert.equal(
      limited,
      `The service limits the rate of requests. Next try at ${timeOfDay(retryAt)}.`,
    );
    const broken = retryWaitText({ retryAt, error: new ServiceError('server', 'x') }, t);
    assert.equal(broken, `No answer yet. Next try at ${timeOfDay(retryAt)}.`);
  });
});
