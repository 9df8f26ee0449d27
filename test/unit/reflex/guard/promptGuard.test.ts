import assert from 'node:assert/strict';
import { createPromptGuard, type GuardFinding } from '../../../../src/reflex/guard/promptGuard';
import { ServiceError } from '../../../../src/service/errors';
import type { Prediction } from '../../../../src/service/wire/reflex';

const never = new AbortController().signal;

/** Finds `attack` wherever it stands. */
function setUp(options: { isOn?: boolean; sends?: boolean; fails?: Error } = {}) {
  const asked: string[] = [];
  const findings: GuardFinding[] = [];
  const guard = createPromptGuard({
    isOn: () => options.isOn ?? true,
    ask: async finding => {
      findings.push(finding);
      return options.sends ?? false;
    },
    client: {
      predictMany: async ({ models, text }) => {
        asked.push(text);
        if (options.fails) throw options.fails;
        const predictions = models.map((model): Prediction => {
          const isPositive = model === 'jailbreak' && text.includes('attack');
          const label = model === 'jailbreak' ? (isPositive ? 'jailbreak' : 'benign') : 'false';
          const classes = [{ classId: 0, label, score: 0.9, isSelected: true }];
          return { model, mode: 'single_label', classes, selected: classes };
        });
        return { predictions, failures: [], attempts: 1, ms: 1 };
      },
    },
  });
  return {
    asked,
    findings,
    guard: async (text: string) => guard({ text, source: 'clipboard' }, never),
  };
}

describe('the guard', () => {
  it('lets everything through without a request while it is off', async () => {
    const { asked, guard } = setUp({ isOn: false });
    assert.equal(await guard('attack'), true);
    assert.deepEqual(asked, []);
  });

  it('lets a harmless text through without a question', async () => {
    const { asked, findings, guard } = setUp();
    assert.equal(await guard('harmless'), true);
    assert.deepEqual([asked, findings], [['harmless'], []]);
  });

  for (const sends of [true, false])
    it(`warns with the score, and the user decides: ${sends}`, async () => {
      const { findings, guard } = setUp({ sends });
      assert.equal(await guard('an attack'), sends);
      const [finding] = findings;
      assert.ok(finding?.kind === 'positive');
      assert.deepEqual(
        finding.readings.map(({ reflex, selected }) => [reflex, selected[0]?.score]),
        [['jailbreak', 0.9]],
      );
    });

  it('sends no secret, and says so', async () => {
    const { asked, findings, guard } = setUp();
    assert.equal(await guard('password = hunter2hunter2'), false);
    assert.deepEqual([asked, findings], [[], [{ kind: 'secret' }]]);
  });

  it('says when it could not look', async () => {
    const error = new ServiceError('offline', '');
    const { findings, guard } = setUp({ fails: error });
    assert.equal(await guard('text'), false);
    assert.deepEqual(findings, [{ kind: 'failed', error }]);
  });

  it('reads a long text to its end, also across the pieces', async () => {
    for (const at of [59_998, 118_997, 149_990]) {
      const text = `${'x'.repeat(at)}attack`.padEnd(150_000, 'y').slice(0, 150_000);
      const { asked, findings, guard } = setUp();
      await guard(text);
      assert.equal(findings.length, 1, `at ${at}`);
      assert.ok(asked.length <= 3 && asked.every(piece => piece.length <= 60_000));
    }
    const { asked, guard } = setUp();
    await guard('z'.repeat(60_000));
    assert.equal(asked.length, 1);
  });
});
