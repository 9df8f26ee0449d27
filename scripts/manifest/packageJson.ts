import type {
  ContributedTool,
  Contributions,
  Localized,
  Setting,
  Walkthrough,
} from '../../src/platform/commands/contribute';

/** The parts of package.json that the contributions decide; the others stay as they are. */
export interface PackageJson {
  readonly activationEvents?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: Readonly<Record<string, unknown>>;
}

/** Contribution points that are generated from other sources: languages, grammars, default settings. */
export type LanguageContributions = Readonly<
  Record<'languages' | 'grammars' | 'configurationDefaults' | 'resourceLabelFormatters', unknown>
>;

type Features = readonly Contributions[];

const container = 'splice';
const category = 'Splice';
const containerIcon = 'media/splice.svg';

/** package.json with what the features contribute; texts are still in place, as `Localized`. */
function contributes(features: Features, languages: LanguageContributions) {
  const others = Object.assign({}, ...features.map(feature => feature.others));
  return withoutEmpty({
    commands: features.flatMap(commandsOf),
    keybindings: features.flatMap(({ keybindings = [] }) => keybindings),
    menus: menusOf(features),
    submenus: features.flatMap(({ submenus = [] }) =>
      submenus.map(({ id, label }) => ({ id, label })),
    ),
    configuration: features.flatMap(configurationOf),
    ...languages,
    views: { [container]: viewsOf(features) },
    viewsWelcome: features.flatMap(welcomeOf),
    walkthroughs: features.flatMap(({ walkthroughs = [] }) => walkthroughs.map(walkthroughOf)),
    languageModelTools: features.flatMap(({ tools = [] }) => tools.map(toolOf)),
    ...others,
  });
}

const commandsOf = ({ commands = {} }: Contributions) =>
  Object.entries(commands).map(([command, [title, icon]]) => ({
    command,
    title: text('command', command, title),
    category,
    ...(icon && { icon: `$(${icon})` }),
  }));

/** An item that names no condition is in the palette anyway. */
function menusOf(features: Features) {
  const menus: Record<string, unknown[]> = { commandPalette: [] };
  for (const { commands = {}, menus: items = [], submenus = [] } of features) {
    for (const { id, menu, group, when } of submenus)
      (menus[menu] ??= []).push({ submenu: id, when, group });
    for (const [command, [, , palette]] of Object.entries(commands))
      if (palette !== undefined && palette !== true)
        menus['commandPalette']?.push({ command, when: String(palette) });
    for (const { menu, command, group, when } of items)
      (menus[menu] ??= []).push({ command, when, group });
  }
  return menus;
}

const configurationOf = ({ settings }: Contributions) =>
  settings
    ? [
        {
          title: settings.title,
          properties: Object.fromEntries(
            Object.entries(settings.properties).map(([id, setting], at) => [
              id,
              { ...settingOf(id, setting), order: at + 1 },
            ]),
          ),
        },
      ]
    : [];

function settingOf(id: string, setting: Setting) {
  const { type, description, options, amounts, scope, ignoreSync, pattern, minimum, maximum } =
    setting;
  const meanings = Object.entries(options ?? {}).filter(([, meaning]) => meaning !== '');
  return {
    type,
    ...(type === 'array' && { items: { type: 'string' }, uniqueItems: true }),
    ...(amounts && {
      properties: Object.fromEntries(
        Object.entries(amounts).map(([name, meaning]) => [
          name,
          { type: 'number', minimum: 0, description: text('setting', `${id}.${name}`, meaning) },
        ]),
      ),
      additionalProperties: false,
    }),
    ...(options && { enum: Object.keys(options) }),
    minimum,
    maximum,
    default: setting.default,
    scope: scope ?? 'application',
    ignoreSync,
    pattern: pattern?.[0],
    patternErrorMessage: pattern && text('setting', `${id}.pattern`, pattern[1]),
    markdownDescription: text('setting', id, description),
    ...(meanings.length > 0 && {
      enumDescriptions: meanings.map(([value, meaning]) =>
        text('setting', `${id}.${value}`, meaning),
      ),
    }),
  };
}

const viewsOf = (features: Features) =>
  features
    .flatMap(({ views = [] }) => views)
    .map(({ id, name, when, isOpen }) => ({
      id,
      name: text('view', id, name),
      icon: containerIcon,
      contextualTitle: { key: 'view.container', text: 'Splice' },
      ...(when !== undefined && { when }),
      ...(isOpen !== true && { visibility: 'collapsed' }),
    }));

const welcomeOf = ({ views = [] }: Contributions) =>
  views.flatMap(({ id, welcome }) =>
    Object.entries(welcome).map(([when, contents], at) => ({
      view: id,
      contents: text('welcome', `${id}.${at + 1}`, contents),
      ...(when !== '' && { when }),
    })),
  );

const walkthroughOf = ({ id, title, description, steps }: Walkthrough) => ({
  id,
  title: text('walkthrough', `${id}.title`, title),
  description: text('walkthrough', `${id}.description`, description),
  steps: steps.map(step => ({
    id: step.id,
    title: text('walkthrough', `${id}.${step.id}.title`, step.title),
    description: text('walkthrough', `${id}.${step.id}.description`, step.description.join('\n')),
    media: {
      svg: `media/walkthrough/${step.picture[0]}.svg`,
      altText: text('walkthrough', `${id}.${step.id}.picture`, step.picture[1]),
    },
    completionEvents: step.doneBy,
  })),
});

/** `splice_apply` is `#spliceApply` in a prompt. */
const toolOf = ({ name, displayName, description, icon, ...rest }: ContributedTool) => ({
  name,
  toolReferenceName: name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
  displayName: text('tool', `${name}.name`, displayName),
  userDescription: text('tool', `${name}.description`, description),
  icon: `$(${icon})`,
  canBeReferencedInPrompt: true,
  ...rest,
});

/** `command`, `splice.apply.clipboard` → `command.apply.clipboard`. */
const text = (kind: string, id: string, words: string): Localized => ({
  key: `${kind}.${id.replace(/^splice[._]/, '')}`,
  text: words,
});

const isLocalized = (value: object): value is Localized =>
  Object.keys(value).length === 2 && 'key' in value && 'text' in value;

/** Replaces texts by their keys, and keeps what they say in `texts`. */
function keyed(value: unknown, texts: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map(item => keyed(item, texts));
  if (typeof value !== 'object' || value === null) return value;
  if (!isLocalized(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => [name, keyed(item, texts)]),
    );
  const known = texts[value.key];
  if (known !== undefined && known !== value.text)
    throw new Error(`two texts have the key ${value.key}: "${known}" and "${value.text}"`);
  texts[value.key] = value.text;
  return `%${value.key}%`;
}

const withoutEmpty = (points: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(points).filter(([, point]) => !Array.isArray(point) || point.length > 0),
  );

/** package.json and package.nls.json as the contributions want them. */
export function packageFiles(
  current: PackageJson,
  features: Features,
  languages: LanguageContributions,
) {
  const texts: Record<string, string> = {};
  const settings = features.flatMap(({ settings: own }) => Object.entries(own?.properties ?? {}));
  const { capabilities } = current;
  const manifest = {
    ...current,
    activationEvents: features.flatMap(({ activationEvents = [] }) => activationEvents),
    capabilities: {
      ...capabilities,
      untrustedWorkspaces: {
        ...capabilities.untrustedWorkspaces,
        description: {
          key: 'trust',
          text: features.map(({ restriction }) => restriction ?? '').join(''),
        },
        restrictedConfigurations: settings.flatMap(([id, { isRestricted }]) =>
          isRestricted ? [id] : [],
        ),
      },
    },
    contributes: contributes(features, languages),
  };
  return { manifest: keyed(manifest, texts), texts };
}
