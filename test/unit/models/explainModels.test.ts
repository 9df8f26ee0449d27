import assert from 'node:assert/strict';
import type { Translate } from '../../../src/base/format/text';
import { diagnoseModels, type ModelListFacts } from '../../../src/models/explainModels';
import { assertApproved } from '../../support/unit/approved';

const t: Translate = (message, ...values) =>
  message.replace(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));

const well: ModelListFacts = {
  setup: undefined,
  version: '1.139.1',
  isChatOff: false,
  canManage: true,
  hasChatExtension: true,
  isProvider: true,
  isSignedIn: false,
  known: 14,
  catalogueProblem: undefined,
  endpointsProblem: undefined,
};
const rows = (facts: Partial<ModelListFacts>) =>
  diagnoseModels({ ...well, ...facts }, t).map(
    ({ weight, title, step }) => `${weight}: ${title}${step ? ` -> ${step}` : ''}`,
  );

const first = (facts: Partial<ModelListFacts>) => rows(facts)[0];
const isOld = (version: string) => rows({ version }).some(row => /too old/.test(row));

describe('why models are not seen', () => {
  it('finds nothing wrong where all is well, and names what only people can see', () => {
    assert.deepEqual(rows({}), [
      'possible: The models may be hidden in the picker -> manage',
      'fine: VS Code knows 14 models of Splice',
    ]);
  });

  it('names each missing thing and the step that helps', () => {
    assert.equal(first({ setup: 'untrusted' }), 'certain: This workspace is not trusted -> trust');
    assert.equal(first({ setup: 'noUrl' }), 'certain: No service address is set -> connect');
    assert.match(first({ setup: 'noKey' }) ?? '', /^certain: No API key .* -> setKey$/);
    assert.match(first({ setup: 'refused' }) ?? '', /^certain: The service refused .* -> setKey$/);
    assert.equal(first({ version: '1.104.3' }), 'certain: VS Code 1.104.3 is too old -> update');
    assert.match(first({ isChatOff: true }) ?? '', /^certain: Chat is turned off .*chatSetting$/);
    assert.equal(first({ canManage: false }), 'certain: This VS Code has no chat');
    assert.match(first({ hasChatExtension: false }) ?? '', /not enabled yet -> enable$/);
    assert.match(first({ isProvider: false }) ?? '', /^certain: .*sign in.* -> addProvider$/);
    assert.match(first({ known: 0 }) ?? '', /^certain: VS Code has not loaded .* -> announce$/);
  });

  it('puts the certain first, and keeps all of them', () => {
    const found = rows({ setup: 'noKey', hasChatExtension: false, isSignedIn: true });
    assert.deepEqual(
      found.map(row => row.split(':')[0]),
      ['certain', 'certain', 'possible', 'possible'],
    );
  });

  it('is not sure where it cannot tell', () => {
    assert.ok(
      rows({ isProvider: undefined }).some(row => row.startsWith('possible: Chat asks you')),
    );
    assert.ok(
      rows({ isSignedIn: true }).some(row => row.startsWith('possible: Your GitHub account')),
    );
    assert.ok(!rows({ isSignedIn: undefined }).some(row => /GitHub account/.test(row)));
  });

  it('tells why a list is old', () => {
    const [cause] = diagnoseModels({ ...well, catalogueProblem: 'It cannot be reached.' }, t);
    assert.equal(cause?.step, 'diagnose');
    assert.match(cause.detail, /^It cannot be reached\. A built-in table is used instead/);
  });

  it('knows old versions by number', () => {
    assert.deepEqual(['1.121.9', '1.122.0', '1.99.0', '1.200.0-insider', '2.0.0'].map(isOld), [
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('is told in words for each cause', () => {
    const each: Partial<ModelListFacts>[] = [
      {},
      ...(['untrusted', 'noUrl', 'noKey', 'keyring', 'refused'] as const).map(setup => ({ setup })),
      { version: '1.99.0' },
      { isChatOff: true },
      { canManage: false },
      { hasChatExtension: false },
      { isProvider: false },
      { isProvider: undefined },
      { isSignedIn: true },
      { known: 0 },
      { catalogueProblem: 'It is down.', endpointsProblem: 'It is slow.' },
    ];
    assertApproved(
      'missingModels',
      each
        .map(
          facts =>
            `== ${JSON.stringify(facts, (_, value: unknown) => value ?? 'unknown')}\n` +
            diagnoseModels({ ...well, ...facts }, t)
              .map(
                ({ weight, title, detail, step }) =>
                  `${weight}: ${title}\n    ${detail}\n    ${step ?? '–'}\n`,
              )
              .join(''),
        )
        .join(''),
    );
  });
});
