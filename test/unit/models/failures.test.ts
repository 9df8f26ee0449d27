import assert from 'node:assert/strict';
import { english } from '../../../src/base/sentence';
import { chatWaitText, failureOf, interruptedText } from '../../../src/models/failures';
import { adviceFor } from '../../../src/service/advice';
import { ServiceError } from '../../../src/service/errors';

const setKey = 'Run "Splice: Set API Key…" from the Command Palette.';
const again = 'Send the message again.';
const diagnose = 'Run "Splice: Diagnose Connection" from the Command Palette.';
const diagnoseLater =
  'If it fails again, run "Splice: Diagnose Connection" from the Command Palette.';

describe('a failure as the chat shows it', () => {
  for (const [kind, failure, next] of [
    ['noKey', 'noPermissions', setKey],
    ['keyring', 'noPermissions', ''],
    ['noUrl', 'noPermissions', 'Run "Splice: Connect to Service…" from the Command Palette.'],
    ['badUrl', 'noPermissions', 'Run "Splice: Set Service URL…" from the Command Palette.'],
    ['unauthorized', 'noPermissions', setKey],
    ['forbidden', 'noPermissions', undefined],
    ['notFound', 'notFound', 'Choose another model, or run "Splice: Why Don\'t I See My Models?".'],
    [
      'budget',
      'blocked',
      'Run "Splice: Ignore Budget for Today" or "Splice: Change Budget" from the Command Palette, or "Splice: Show Costs" to see what was spent.',
    ],
    ['payment', 'blocked', undefined],
    ['timeout', 'other', `${again} ${diagnoseLater}`],
    ['server', 'other', undefined],
    ['certificate', 'other', diagnose],
    ['rateLimited', 'other', undefined],
  ] as const)
    it(`has a kind and the next step: ${kind}`, () => {
      const error = new ServiceError(kind, 'What happened.');
      const { message } = adviceFor(error, english);
      const shown = failureOf(error, english);
      assert.equal(shown.kind, failure);
      assert.ok(shown.text.startsWith(message), shown.text);
      if (next !== undefined)
        assert.equal(shown.text, next === '' ? message : `${message} ${next}`);
      assert.doesNotMatch(shown.text, /^ | {2}| $/);
    });

  it('names the time after a rate limit, and no second step for it', () => {
    const { text } = failureOf(new ServiceError('rateLimited', ''), english);
    assert.doesNotMatch(text, /Send the message again/);
    const fields = { code: 'resource_unavailable', retryAt: Date.now() };
    assert.match(
      failureOf(new ServiceError('rateLimited', '', fields), english).text,
      /Try again after \d\d:\d\d:\d\d\. The same model without "\(standby\)" answers at once\.$/,
    );
  });

  it('says of an unknown error where its details are', () => {
    assert.deepEqual(failureOf(new Error('secret'), english), {
      kind: 'other',
      text: 'Something went wrong. "Splice: Show Log" has the details.',
    });
  });

  it('says below half an answer what happened to the rest', () => {
    const rest = 'The part that arrived is above. Say "continue" for the rest.';
    assert.equal(interruptedText(new Error('x'), english), `Something went wrong. ${rest}`);
    const error = new ServiceError('connection', '');
    const { message } = adviceFor(error, english);
    assert.equal(interruptedText(error, english), `${message} ${rest}`);
  });

  it('says while it waits why, and until when', () => {
    const retryAt = new Date(2026, 1, 3, 14, 5, 6).getTime();
    for (const [kind, what] of [
      ['rateLimited', 'The service is busy.'],
      ['server', 'No answer yet.'],
    ] as const)
      assert.equal(
        chatWaitText({ retryAt, error: new ServiceError(kind, '') }, english),
        `${what} Trying again at 14:05:06.`,
      );
  });
});
