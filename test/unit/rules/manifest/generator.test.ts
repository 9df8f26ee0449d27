import assert from 'node:assert/strict';
import { commandTables, settingTables } from '../../../../scripts/manifest/docs';
import { type PackageJson, packageFiles } from '../../../../scripts/manifest/packageJson';
import { itemHas } from '../../../../src/platform/commands/contextValue';
import {
  args,
  type Contributions,
  choice,
  contribute,
  inputs,
  inView,
  keys,
  localized,
  menu,
  section,
  tool,
  view,
} from '../../../../src/platform/commands/contribute';

const current: PackageJson = {
  activationEvents: ['onOld'],
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: ['splice.old'] } },
  contributes: { commands: [{ command: 'splice.old' }] },
};
const languages = {
  languages: ['l'],
  grammars: ['g'],
  configurationDefaults: { d: 1 },
  resourceLabelFormatters: [],
};

const kitchen = contribute({
  activationEvents: ['onStartupFinished'],
  restriction: 'Nothing is cooked.',
  commands: {
    'splice.kitchen.cook': ['Cook…', 'flame'],
    'splice.kitchen.serve': ['Serve', '', 'splice:isDone', args<[dish: string]>()],
    'splice.kitchen.wash': ['Wash Up', '', false],
  },
  menus: [
    ...menu('view/item/context', inView('splice.kitchen'), [
      ['splice.kitchen.serve', 'inline@1 1_serve@2', itemHas('dish', ['hot', 'warm'])],
    ]),
    ...menu('editor/title', '', [['splice.kitchen.cook', 'navigation@1', 'isMac']]),
  ],
  keybindings: [
    ...keys('splice:isDone', [
      ['splice.kitchen.serve', 'ctrl+k ctrl+s', 'cmd+k cmd+s', 'editorFocus'],
      ['splice.kitchen.cook', undefined, 'cmd+c'],
    ]),
  ],
  settings: section('Kitchen', {
    'splice.kitchen.heat': choice(
      'How hot | how long.',
      { low: 'Slow.', high: '' },
      { scope: 'window', isRestricted: true },
    ),
  }),
  views: view(
    'splice.kitchen',
    'Kitchen',
    { 'a == b': 'Nothing here.', '': 'Empty.' },
    { isOpen: true },
  ),
  walkthroughs: [
    {
      id: 'tour',
      title: 'Tour',
      description: 'All of it.',
      steps: [
        {
          id: 'cook',
          title: 'Cook',
          description: ['Hot.', '[Cook…](command:splice.kitchen.cook)'],
          picture: ['pot', 'A pot on the stove.'],
          doneBy: ['onContext:splice:isDone'],
        },
      ],
    },
  ],
  tools: tool('splice_cook_it', {
    displayName: 'Cook',
    description: 'Cooks.',
    modelDescription: 'Cooks it.',
    icon: 'flame',
    tags: ['cook'],
    inputSchema: inputs(['dish'], { dish: { type: 'string' } }),
  }),
});
const cellar: Contributions = {
  views: [
    ...view('splice.larder', 'Larder', {}, { when: 'splice:isDone', isOpen: true }),
    ...view('splice.cellar', 'Cellar', {}),
  ],
  others: { chatParticipants: [{ id: 'x', description: localized('chat.x', 'Answers.') }] },
};

const { manifest, texts } = packageFiles(current, [kitchen, cellar], languages);
const packageJson: PackageJson = JSON.parse(JSON.stringify(manifest));

describe('the generated package.json', () => {
  it('has commands, menus and keys of all features, and their texts apart', () => {
    const { contributes } = packageJson;
    const { commands, menus, keybindings } = contributes;
    assert.deepEqual(commands, [
      {
        command: 'splice.kitchen.cook',
        title: '%command.kitchen.cook%',
        category: 'Splice',
        icon: '$(flame)',
      },
      {
        command: 'splice.kitchen.serve',
        title: '%command.kitchen.serve%',
        category: 'Splice',
      },
      { command: 'splice.kitchen.wash', title: '%command.kitchen.wash%', category: 'Splice' },
    ]);
    const when = 'view == splice.kitchen && viewItem =~ /;dish;(hot|warm);/';
    assert.deepEqual(menus, {
      commandPalette: [
        { command: 'splice.kitchen.serve', when: 'splice:isDone' },
        { command: 'splice.kitchen.wash', when: 'false' },
      ],
      'view/item/context': [
        { command: 'splice.kitchen.serve', when, group: 'inline@1' },
        { command: 'splice.kitchen.serve', when, group: '1_serve@2' },
      ],
      'editor/title': [{ command: 'splice.kitchen.cook', when: 'isMac', group: 'navigation@1' }],
    });
    assert.deepEqual(keybindings, [
      {
        command: 'splice.kitchen.serve',
        key: 'ctrl+k ctrl+s',
        mac: 'cmd+k cmd+s',
        when: 'splice:isDone && editorFocus',
      },
      { command: 'splice.kitchen.cook', mac: 'cmd+c', when: 'splice:isDone' },
    ]);
    assert.equal(texts['command.kitchen.cook'], 'Cook…');
  });

  it('has settings in their order, with what each value means', () => {
    const { contributes, capabilities } = packageJson;
    assert.deepEqual(contributes['configuration'], [
      {
        title: 'Kitchen',
        properties: {
          'splice.kitchen.heat': {
            type: 'string',
            enum: ['low', 'high'],
            default: 'low',
            scope: 'window',
            markdownDescription: '%setting.kitchen.heat%',
            enumDescriptions: ['%setting.kitchen.heat.low%'],
            order: 1,
          },
        },
      },
    ]);
    assert.deepEqual(capabilities.untrustedWorkspaces, {
      restrictedConfigurations: ['splice.kitchen.heat'],
      description: '%trust%',
    });
    assert.equal(texts['trust'], 'Nothing is cooked.');
  });

  it('has views, what they show while empty, tools and other points', () => {
    const { contributes, activationEvents } = packageJson;
    const icon = 'media/splice.svg';
    const contextualTitle = '%view.container%';
    assert.deepEqual(contributes['views'], {
      splice: [
        { id: 'splice.kitchen', name: '%view.kitchen%', icon, contextualTitle },
        {
          id: 'splice.larder',
          name: '%view.larder%',
          icon,
          contextualTitle,
          when: 'splice:isDone',
        },
        {
          id: 'splice.cellar',
          name: '%view.cellar%',
          icon,
          contextualTitle,
          visibility: 'collapsed',
        },
      ],
    });
    assert.deepEqual(contributes['viewsWelcome'], [
      { view: 'splice.kitchen', contents: '%welcome.kitchen.1%', when: 'a == b' },
      { view: 'splice.kitchen', contents: '%welcome.kitchen.2%' },
    ]);
    assert.deepEqual(contributes['languageModelTools'], [
      {
        name: 'splice_cook_it',
        toolReferenceName: 'spliceCookIt',
        displayName: '%tool.cook_it.name%',
        userDescription: '%tool.cook_it.description%',
        icon: '$(flame)',
        canBeReferencedInPrompt: true,
        modelDescription: 'Cooks it.',
        tags: ['cook'],
        inputSchema: {
          type: 'object',
          properties: { dish: { type: 'string' } },
          required: ['dish'],
        },
      },
    ]);
    assert.deepEqual(contributes['chatParticipants'], [{ id: 'x', description: '%chat.x%' }]);
    assert.deepEqual([contributes['grammars'], activationEvents], [['g'], ['onStartupFinished']]);
  });

  it('has walkthroughs with their pictures, and their texts apart', () => {
    assert.deepEqual(packageJson.contributes['walkthroughs'], [
      {
        id: 'tour',
        title: '%walkthrough.tour.title%',
        description: '%walkthrough.tour.description%',
        steps: [
          {
            id: 'cook',
            title: '%walkthrough.tour.cook.title%',
            description: '%walkthrough.tour.cook.description%',
            media: {
              svg: 'media/walkthrough/pot.svg',
              altText: '%walkthrough.tour.cook.picture%',
            },
            completionEvents: ['onContext:splice:isDone'],
          },
        ],
      },
    ]);
    assert.equal(
      texts['walkthrough.tour.cook.description'],
      'Hot.\n[Cook…](command:splice.kitchen.cook)',
    );
  });

  it('refuses one key for two texts', () => {
    const other: Contributions = { others: { a: localized('chat.x', 'Something else.') } };
    assert.throws(() => packageFiles(current, [cellar, other], languages), /two texts.*chat\.x/);
  });
});

describe('the generated tables of the user guide', () => {
  it('name commands, where they are offered, and their keys', () => {
    const text = commandTables({ kitchen, cellar });
    assert.match(text, /\n## Kitchen\n/);
    assert.doesNotMatch(text, /Cellar/);
    for (const row of [
      '| Cook… | palette, editor title |  | Cmd+C | `splice.kitchen.cook` |',
      '| Serve | palette, view item | Ctrl+K Ctrl+S | Cmd+K Cmd+S | `splice.kitchen.serve` |',
      '| Wash Up | links and buttons |  |  | `splice.kitchen.wash` |',
    ])
      assert.ok(text.includes(`\n${row}\n`), row);
  });

  it('name settings, their defaults and their values', () => {
    const row =
      '| `splice.kitchen.heat` | `low` | user, workspace | How hot \\| how long.<br>`low`: Slow.<br>`high` |';
    assert.ok(settingTables({ kitchen }).includes(`\n${row}\n`));
  });
});
