/**
 * What features add to VS Code, as data. `npm run manifest` writes `contributes` of package.json, its texts
 * and the tables of the user guide from the `contributions.ts` of each feature. Code imports those as types
 * only, so that no title is loaded to activate the extension.
 */
import { reviewScheme } from '../ids';

/** The commands of all features with their arguments; `src/contributions.ts` fills it. */
export interface Commands {}
export type CommandId = keyof Commands;

/** The settings of all features; `src/contributions.ts` fills it. */
export interface Settings {}
export type SettingId = keyof Settings;

/** Carries the types of a command's arguments and no value. */
export interface Arguments<Args extends readonly unknown[]> {
  readonly types?: Args;
}
/** What menus and our own code pass. Other extensions may pass anything, so handlers check. */
export const args = <Args extends readonly unknown[]>(): Arguments<Args> => ({});

/** A `vscode.Uri`. */
export interface UriArgument {
  readonly scheme: string;
  readonly path: string;
}

export type Command = readonly [
  title: string,
  /** Name of a codicon; '' for none. */
  icon?: string,
  /** The `when` clause under which the Command Palette lists it: always if left out, `false` for never. */
  palette?: string | boolean,
  args?: Arguments<readonly unknown[]>,
];

export interface MenuItem<Id extends string = string> {
  readonly menu: string;
  readonly command: Id;
  readonly group: string;
  readonly when: string;
}

/** A menu that opens from an item of another one. It is not shown while it is empty. */
export interface Submenu {
  readonly id: string;
  readonly label: Localized;
  /** The menu that has the item. */
  readonly menu: string;
  readonly group: string;
  readonly when: string;
}

export interface Keybinding<Id extends string = string> {
  readonly command: Id;
  /** On macOS only if `undefined`. */
  readonly key: string | undefined;
  /** The key on macOS where it is another one. */
  readonly mac: string | undefined;
  readonly when: string;
}

export interface Setting {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly default: unknown;
  /** Markdown. */
  readonly description: string;
  /** What each value of an enumeration means; '' where the value says it. */
  readonly options?: Readonly<Record<string, string>>;
  /** `application` if left out: a workspace cannot set it. */
  readonly scope?: 'window';
  /** A workspace that is not trusted cannot set it. */
  readonly isRestricted?: true;
  readonly ignoreSync?: true;
  /** The names of an object's amounts, each with what it means. */
  readonly amounts?: Readonly<Record<string, string>>;
  readonly pattern?: readonly [expression: string, message: string];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface View {
  readonly id: string;
  readonly name: string;
  /** Markdown that the view shows while it is empty, by `when` clause. */
  readonly welcome: Readonly<Record<string, string>>;
  /** The side bar has it only while this is true. */
  readonly when?: string;
  /** Folded at first if left out. */
  readonly isOpen?: true;
}

export interface WalkthroughStep {
  readonly id: string;
  readonly title: string;
  /** Lines of text and of links; a line that is one link to a command is a button. */
  readonly description: readonly string[];
  /** Name of the picture in `media/walkthrough`, without its ending, and what a screen reader says of it. */
  readonly picture: readonly [name: string, altText: string];
  /** What ticks the step: `onContext:…`, `onCommand:…`. */
  readonly doneBy: readonly string[];
}

export interface Walkthrough {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly steps: readonly WalkthroughStep[];
}

export interface ContributedTool {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly modelDescription: string;
  readonly icon: string;
  readonly tags: readonly string[];
  readonly inputSchema: object;
}

type CommandTable = Readonly<Record<string, Command>>;
type SettingTable = Readonly<Record<string, Setting>>;

export interface Contributions<
  C extends CommandTable = CommandTable,
  S extends SettingTable = SettingTable,
> {
  readonly commands?: C;
  readonly menus?: readonly MenuItem<NoInfer<keyof C & string>>[];
  readonly submenus?: readonly Submenu[];
  readonly keybindings?: readonly Keybinding<NoInfer<keyof C & string>>[];
  readonly settings?: { readonly title: string; readonly properties: S };
  readonly views?: readonly View[];
  readonly walkthroughs?: readonly Walkthrough[];
  readonly tools?: readonly ContributedTool[];
  /** Other contribution points, as package.json has them. */
  readonly others?: Readonly<Record<string, unknown>>;
  readonly activationEvents?: readonly string[];
  /** What a workspace that is not trusted cannot do. */
  readonly restriction?: string;
}

/** Checks that menus and keys name commands of the feature, and keeps the ids as types. */
export const contribute = <const C extends CommandTable, const S extends SettingTable>(
  contributions: Contributions<C, S>,
): Declared<C, S> => contributions;

/** Contributions whose commands and settings are known by id. */
interface Declared<C, S> extends Omit<Contributions, 'commands' | 'settings'> {
  readonly commands?: C;
  readonly settings?: { readonly title: string; readonly properties: S };
}

type ArgumentsOf<C> = C extends readonly [...unknown[], Arguments<infer Args>] ? Args : [];

/** The commands of a feature with their arguments. */
export type CommandsOf<T> = T extends { readonly commands?: infer C }
  ? { [Id in keyof C]: ArgumentsOf<C[Id]> }
  : never;

/** The settings of a feature. */
export type SettingsOf<T> = T extends {
  readonly settings?: { readonly properties: infer S };
}
  ? S
  : never;

// --- settings, views and tools

type Extra = Omit<Partial<Setting>, 'type' | 'default' | 'description' | 'options'>;

export const section = <const S extends SettingTable>(title: string, properties: S) => ({
  title,
  properties,
});

export const textSetting = (description: string, extra: Extra & { default?: string } = {}) =>
  ({ type: 'string', default: '', description, ...extra }) as const;

/** One of the values that `options` explains; the first one if `extra` names no default. */
export const choice = (
  description: string,
  options: Readonly<Record<string, string>>,
  extra: Extra & { default?: string } = {},
) =>
  ({ type: 'string', default: Object.keys(options)[0], description, options, ...extra }) as const;

/** Which engine does the work: a workspace can only choose the local one. */
export const engine = (description: string, options: Readonly<Record<string, string>>) =>
  choice(description, options, { scope: 'window', isRestricted: true });

/** An address of the service, which belongs to this machine. */
export const address = (description: string, extra: Extra = {}) =>
  textSetting(description, { ...extra, ignoreSync: true });

export const listSetting = (description: string, initial: readonly string[]) =>
  ({ type: 'array', default: initial, description }) as const;

export const amount = (description: string, initial: number, extra: Extra = {}) =>
  ({ type: 'number', default: initial, minimum: 0, description, ...extra }) as const;

export const wholeNumber = (description: string, initial: number, extra: Extra = {}) =>
  ({ ...amount(description, initial, extra), type: 'integer' }) as const;

/** Amounts by their names; none at first. */
export const amountsByName = (description: string, amounts: Readonly<Record<string, string>>) =>
  ({ type: 'object', default: {}, description, amounts }) as const;

export const toggle = (description: string, initial = false) =>
  ({ type: 'boolean', default: initial, description }) as const;

export const view = (
  id: string,
  name: string,
  welcome: View['welcome'],
  rest: Pick<View, 'when' | 'isOpen'> = {},
): View[] => [{ id, name, welcome, ...rest }];

export const tool = (name: string, rest: Omit<ContributedTool, 'name'>): ContributedTool[] => [
  { name, ...rest },
];

/** What a view of the account shows where nothing may be asked. */
export const notTrusted =
  'This workspace is not trusted, so Splice sends no requests to the service here.\n[Manage Workspace Trust](command:workbench.trust.manage)';

/** The JSON schema of a text that a model passes to a tool. */
export const textInput = (description: string) => ({ type: 'string', description });

/** The JSON schema of what a model passes to a tool. */
export const inputs = (required: readonly string[], properties: object) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

/** A text that package.nls.json holds, so that it can be translated. */
export interface Localized {
  readonly key: string;
  readonly text: string;
}
export const localized = (key: string, words: string): Localized => ({ key, text: words });

// --- `when` clauses, menus and keys

export const inView = (id: string): string => `view == ${id}`;
export const inReview = `resourceScheme == ${reviewScheme}`;
export const outsideReview = `resourceScheme != ${reviewScheme}`;

/** The items of Splice in the context menu of an editor. */
export const editorMenu = 'splice.editor';

const both = (a: string, b: string | undefined): string =>
  b === undefined ? a : a === '' ? b : `${a} && ${b}`;

/**
 * Items of a menu that share a condition.
 * @param rows the groups (`inline@1 1_open@2` for two) and what must be true in addition
 */
export const menu = <Id extends string>(
  name: string,
  when: string,
  rows: readonly (readonly [command: Id, groups: string, when?: string])[],
): MenuItem<Id>[] =>
  rows.flatMap(([command, groups, own]) =>
    groups.split(' ').map(group => ({ menu: name, command, group, when: both(when, own) })),
  );

/** Keys that share a condition: on Windows and Linux, on macOS, and what must be true in addition. */
export const keys = <Id extends string>(
  when: string,
  rows: readonly (readonly [
    command: Id,
    key: string | undefined,
    mac?: string | undefined,
    when?: string,
  ])[],
): Keybinding<Id>[] =>
  rows.map(([command, key, mac, own]) => ({ command, key, mac, when: both(when, own) }));
