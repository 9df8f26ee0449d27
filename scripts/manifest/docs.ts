import type { Contributions, Keybinding, Setting } from '../../src/platform/commands/contribute';

type Features = Readonly<Record<string, Contributions>>;

const notice =
  '<!-- Written by `npm run manifest` from the `contributions.ts` files. Do not edit. -->';

const menuNames: Readonly<Record<string, string>> = {
  'editor/title': 'editor title',
  'editor/context': 'editor menu',
  'explorer/context': 'Explorer menu',
  'view/title': 'view title',
  'view/item/context': 'view item',
};

/** docs/commands.md: every command, where it is offered, and its keys. */
export function commandTables(features: Features): string {
  const sections = sectionsOf(features, ({ commands = {}, menus = [], keybindings = [] }) =>
    Object.entries(commands).map(([id, [title, , palette]]) => {
      const places = menus
        .filter(item => item.command === id)
        .map(item => menuNames[item.menu] ?? item.menu);
      if (palette !== false) places.unshift('palette');
      const bound = keybindings.filter(({ command }) => command === id);
      return [
        title,
        [...new Set(places)].join(', ') || 'links and buttons',
        keyNames(bound, ({ key }) => key),
        keyNames(bound, ({ key, mac }) => mac ?? key),
        `\`${id}\``,
      ];
    }),
  );
  return page(
    'Commands',
    'The Command Palette lists a command under the category **Splice** while it can run. Keys apply in the editor or view that the command works on.',
    ['Command', 'Offered in', 'Windows, Linux', 'macOS', 'Id'],
    sections,
  );
}

/** docs/settings.md: every setting, its default and its values. */
export function settingTables(features: Features): string {
  const sections = sectionsOf(features, ({ settings }) =>
    Object.entries<Setting>(settings?.properties ?? {}).map(([id, setting]) => [
      `\`${id}\``,
      code(setting.default),
      setting.scope === 'window' ? 'user, workspace' : 'user',
      [
        setting.description,
        ...Object.entries({ ...setting.options, ...setting.amounts }).map(([value, meaning]) =>
          meaning === '' ? code(value) : `${code(value)}: ${meaning}`,
        ),
      ].join('<br>'),
    ]),
  );
  return page(
    'Settings',
    'A setting that only the user can set ignores what a workspace says: it decides what is sent, where, or what it may cost.',
    ['Setting', 'Default', 'Set by', 'Meaning'],
    sections,
  );
}

type Section = readonly [title: string, rows: readonly (readonly string[])[]];

const sectionsOf = (
  features: Features,
  rows: (feature: Contributions) => readonly (readonly string[])[],
): Section[] =>
  Object.entries(features)
    .map(([name, feature]): Section => [capitalized(name), rows(feature)])
    .filter(([, list]) => list.length > 0);

const page = (
  title: string,
  intro: string,
  columns: readonly string[],
  sections: readonly Section[],
): string =>
  [
    notice,
    `# ${title}`,
    intro,
    ...sections.flatMap(([name, rows]) => [`## ${name}`, table(columns, rows)]),
  ].join('\n\n') + '\n';

const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows.map(row => row.map(escaped))]
    .map(row => `| ${row.join(' | ')} |`)
    .join('\n');

const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', '<br>');

const code = (value: unknown): string =>
  `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``;

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const keyNames = (
  bindings: readonly Keybinding[],
  keyOf: (binding: Keybinding) => string | undefined,
): string =>
  bindings
    .flatMap(binding => keyOf(binding) ?? [])
    .map(keyName)
    .join(', ');

/** `ctrl+k ctrl+v` → `Ctrl+K Ctrl+V`. */
const keyName = (key: string): string =>
  key
    .split(' ')
    .map(chord => chord.split('+').map(capitalized).join('+'))
    .join(' ');
