import assert from 'node:assert/strict';
import { withSecondTry } from '../../support/runner/report/secondTry.mjs';

type Outcome = Parameters<typeof withSecondTry>[0];
type State = Outcome['tests'][number]['state'];

/** @param states of tests by "file title". */
function outcome(states: Record<string, State>, broken: Outcome['failed'] = []): Outcome {
  const tests = Object.entries(states).map(([name, state]) => {
    const [file = '', title = ''] = name.split(' ');
    return { file, title, state, ...(state === 'failed' ? { error: 'too late' } : {}) };
  });
  const inState = (wanted: State) => tests.filter(({ state }) => state === wanted);
  return {
    passed: inState('passed').length,
    failed: [...inState('failed'), ...broken],
    missing: inState('missing'),
    tests,
    files: [],
  };
}

const named = (list: Outcome['failed'] = []) => list.map(({ file, title }) => `${file} ${title}`);

const never = async () => assert.fail('no second try');

describe('a second try', () => {
  const log = console.log;
  beforeEach(() => {
    console.log = () => undefined;
  });
  afterEach(() => {
    console.log = log;
  });

  it('runs the files of what failed or did not run, and names what passes then', async () => {
    const first = outcome({
      'a one': 'passed',
      'b one': 'failed',
      'b two': 'missing',
      'b three': 'passed',
    });
    const asked: string[][] = [];
    const { passed, failed, missing, unsteady } = await withSecondTry(first, async files => {
      asked.push(files);
      return outcome({ 'b one': 'passed', 'b two': 'passed', 'b three': 'passed' });
    });
    assert.deepEqual(asked, [['b']]);
    assert.deepEqual([passed, failed, missing], [4, [], []]);
    assert.deepEqual(named(unsteady), ['b one', 'b two']);
    assert.equal(unsteady?.[0]?.error, 'too late');
  });

  it('fails what fails twice, and what fails only then', async () => {
    const first = outcome({ 'a one': 'failed', 'a two': 'passed', 'b one': 'passed' });
    const again = async () => outcome({ 'a one': 'failed', 'a two': 'failed' });
    const { passed, failed, unsteady } = await withSecondTry(first, again);
    assert.deepEqual(named(failed), ['a one', 'a two']);
    assert.deepEqual([passed, named(unsteady)], [1, []]);
  });

  it('keeps the failures of files that do not run again', async () => {
    const first = outcome({ 'a one': 'failed', 'b one': 'failed' });
    const { passed, failed } = await withSecondTry(first, async () =>
      outcome({ 'a one': 'passed' }),
    );
    assert.deepEqual([passed, named(failed)], [1, ['b one']]);
  });

  it('takes the place of what went wrong around the tests of a file', async () => {
    const first = outcome({ 'a one': 'passed' }, [{ file: 'a', title: 'the window' }]);
    const again = async () => outcome({ 'a one': 'passed' });
    const { failed, unsteady } = await withSecondTry(first, again);
    assert.deepEqual([failed, named(unsteady)], [[], ['a the window']]);
  });

  it('is not made when all is well, nor for a failure of no file or of many', async () => {
    const files = ['a', 'b', 'c', 'd'];
    const many = outcome(Object.fromEntries(files.map(file => [`${file} one`, 'failed'])));
    const homeless = outcome({}, [{ title: 'the window', error: 'exit 1' }]);
    for (const first of [outcome({ 'a one': 'passed' }), many, homeless]) {
      assert.equal(await withSecondTry(first, never), first);
    }
  });
});
