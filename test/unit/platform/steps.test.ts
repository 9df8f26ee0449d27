import assert from 'node:assert/strict';
import packageJson from '../../../package.json';
import { english } from '../../../src/base/sentence';
import { adviceSteps } from '../../../src/platform/steps';
import type { AdviceAction } from '../../../src/service/advice';

const actions: AdviceAction[] = [
  'setApiKey',
  'changeApiKey',
  'setUrl',
  'connect',
  'useInChat',
  'setUpChat',
  'proxySettings',
  'diagnose',
  'showCosts',
  'ignoreBudget',
  'changeBudget',
  'showLog',
  'unlockKeyring',
];

const argumentsOf = (action: AdviceAction) => adviceSteps([action], english)[0]?.arguments;

describe('the steps after a failure', () => {
  it('have a title, an icon and a command each', () => {
    assert.deepEqual(
      adviceSteps(actions, english).map(({ title, icon, command }) => [title, icon, command]),
      [
        ['Set API Key…', 'key', 'splice.service.setApiKey'],
        ['Change API Key…', 'key', 'splice.service.setApiKey'],
        ['Set Service URL…', 'link', 'splice.service.setUrl'],
        ['Connect to Service…', 'plug', 'splice.service.connect'],
        ['Use in Chat', 'comment-discussion', 'splice.models.useInChat'],
        ['Use in Chat', 'comment-discussion', 'splice.models.useInChat'],
        ['Open Proxy Settings', 'settings-gear', 'workbench.action.openSettings'],
        ['Diagnose Connection', 'pulse', 'splice.service.diagnose'],
        ['Show Costs', 'graph', 'splice.costs.show'],
        ['Ignore Budget for Today', 'debug-continue', 'splice.costs.ignoreBudget'],
        ['Change Budget', 'credit-card', 'splice.costs.changeBudget'],
        ['Show Log', 'output', 'splice.showLog'],
        ['How to Unlock', 'lock', 'vscode.open'],
      ],
    );
  });

  it('are commands that exist', () => {
    const known = new Set(packageJson.contributes.commands.map(({ command }) => command));
    for (const { command } of adviceSteps(actions, english))
      assert.ok(known.has(command) || /^(vscode|workbench)\./.test(command), command);
  });

  it('come once each, without those that have no command', () => {
    const titles = adviceSteps(['diagnose', 'retry', 'diagnose'], english);
    assert.equal(titles.length, 1);
  });

  it('set the chat up only where that is what helps', () => {
    assert.deepEqual(argumentsOf('setUpChat'), [true]);
    assert.equal(argumentsOf('useInChat'), undefined);
    assert.deepEqual(argumentsOf('proxySettings'), ['http.proxy']);
  });

  it('open a page about the keyring', () => {
    const [step] = adviceSteps(['unlockKeyring'], english);
    assert.match(String(step?.arguments?.[0]), /^https:\/\//);
  });
});
