import type { Translate } from '../host/words';
import type { SetupReason } from './listing';

/** What is known about why models are or are not in VS Code's picker. */
export interface Facts {
  readonly setup: SetupReason | undefined;
  /** `1.125.0` */
  readonly version: string;
  /** `chat.disableAIFeatures` */
  readonly isChatOff: boolean;
  /** VS Code knows `workbench.action.chat.manage`. */
  readonly canManage: boolean;
  /** The chat extension that comes with VS Code runs. */
  readonly hasChatExtension: boolean;
  /** VS Code has Splice among its providers, which is what it goes by; undefined where nobody can tell. */
  readonly isProvider: boolean | undefined;
  /** VS Code is signed in to GitHub; undefined where it does not say. */
  readonly isSignedIn: boolean | undefined;
  /** Models of this extension that VS Code knows, without the entry that explains itself. */
  readonly known: number;
  /** The built-in table stands in; why. */
  readonly catalogueProblem: string | undefined;
  /** Why the dedicated endpoints could not be read. */
  readonly endpointsProblem: string | undefined;
}

export type Step =
  | 'trust'
  | 'setUrl'
  | 'setKey'
  | 'unlock'
  | 'diagnose'
  | 'chatSetting'
  | 'manage'
  | 'enable'
  | 'addProvider'
  | 'announce'
  | 'update'
  | 'accounts';

export interface Cause {
  /** `certain`: this is why. `possible`: only the user can see it. `fine`: it is not this. */
  readonly weight: 'certain' | 'possible' | 'fine';
  readonly title: string;
  readonly detail: string;
  readonly step?: Step;
}

/** The first version whose picker takes models of extensions and needs no sign-in for them. */
const oldest = [1, 122] as const;

/** Every cause that holds or may hold, the surest first; each with one step that helps. */
export function diagnose(facts: Facts, t: Translate): Cause[] {
  const causes = [...setupCauses(facts, t), ...editorCauses(facts, t), ...hints(facts, t)];
  const order = { certain: 0, possible: 1, fine: 2 };
  return causes.toSorted((a, b) => order[a.weight] - order[b.weight]);
}

function setupCauses({ setup, ...facts }: Facts, t: Translate): Cause[] {
  switch (setup) {
    case 'untrusted':
      return [
        {
          weight: 'certain',
          title: t('This workspace is not trusted'),
          detail: t('VS Code turns chat off in Restricted Mode, and Splice sends nothing.'),
          step: 'trust',
        },
      ];
    case 'noUrl':
      return [
        {
          weight: 'certain',
          title: t('No service address is set'),
          detail: t('Until then the picker shows "Splice: Set Up" instead of models.'),
          step: 'setUrl',
        },
      ];
    case 'noKey':
      return [
        {
          weight: 'certain',
          title: t('No API key is set for the service address'),
          detail: t('A key that was stored for another address is not used.'),
          step: 'setKey',
        },
      ];
    case 'keyring':
      return [
        {
          weight: 'certain',
          title: t('The stored API key cannot be read'),
          detail: t('The keyring of the system is locked or does not answer.'),
          step: 'unlock',
        },
      ];
    case 'refused':
      return [
        {
          weight: 'certain',
          title: t('The service refused the API key'),
          detail: t('It answered with status 401.'),
          step: 'setKey',
        },
      ];
    default:
      return serviceCauses(facts, t);
  }
}

function serviceCauses(
  { catalogueProblem, endpointsProblem, known }: Omit<Facts, 'setup'>,
  t: Translate,
): Cause[] {
  const causes: Cause[] = [];
  if (catalogueProblem !== undefined)
    causes.push({
      weight: 'possible',
      title: t('The model catalogue cannot be read'),
      detail: t('{0} A built-in table stands in, which lacks newer models.', catalogueProblem),
      step: 'diagnose',
    });
  if (endpointsProblem !== undefined)
    causes.push({
      weight: 'possible',
      title: t('The dedicated endpoints cannot be read'),
      detail: t('{0} Those that serve are missing in the picker.', endpointsProblem),
      step: 'diagnose',
    });
  causes.push(
    known === 0
      ? {
          weight: 'certain',
          title: t('VS Code has not taken over the models yet'),
          detail: t('It asks for them when the chat opens; this asks it to do so now.'),
          step: 'announce',
        }
      : {
          weight: 'fine',
          title: t('VS Code knows {0} models of Splice', known),
          detail: t('Address, key and catalogue are in order.'),
        },
  );
  return causes;
}

function editorCauses(
  { version, isChatOff, canManage, hasChatExtension }: Facts,
  t: Translate,
): Cause[] {
  const causes: Cause[] = [];
  if (isOlder(version))
    causes.push({
      weight: 'certain',
      title: t('VS Code {0} is too old', version),
      detail: t(
        'Models of extensions work without a sign-in from version {0} on.',
        oldest.join('.'),
      ),
      step: 'update',
    });
  if (isChatOff)
    causes.push({
      weight: 'certain',
      title: t('Chat is turned off in the settings'),
      detail: t('The setting chat.disableAIFeatures is on.'),
      step: 'chatSetting',
    });
  else if (!canManage)
    causes.push({
      weight: 'certain',
      title: t('This VS Code has no chat'),
      detail: t('It is a build without it, or a policy of your organization turns it off.'),
    });
  else if (!hasChatExtension)
    causes.push({
      weight: 'certain',
      title: t('The chat extension of VS Code is not enabled yet'),
      detail: t(
        'Opening the list of models enables it; Splice becomes one of its providers. No sign-in is needed.',
      ),
      step: 'enable',
    });
  return causes;
}

/** What no extension can see. */
function hints(facts: Facts, t: Translate): Cause[] {
  const { isSignedIn, isProvider, known, isChatOff, canManage, hasChatExtension } = facts;
  if (isChatOff || !canManage) return [];
  const causes: Cause[] = [];
  if (hasChatExtension && isProvider !== true)
    causes.push({
      weight: isProvider === undefined ? 'possible' : 'certain',
      title: t('Chat asks you to sign in to GitHub'),
      detail: t('It does so until a provider of models is added to its list.'),
      step: 'addProvider',
    });
  if (known > 0)
    causes.push({
      weight: 'possible',
      title: t('The models may be hidden in the picker'),
      detail: t('The list of models has an eye for each of them.'),
      step: 'manage',
    });
  if (isSignedIn === true)
    causes.push({
      weight: 'possible',
      title: t('Your GitHub account may have no plan for chat'),
      detail: t(
        'Signed in without a plan, VS Code offers no models of extensions; signed out, it does. In an organization a policy must allow them.',
      ),
      step: 'accounts',
    });
  return causes;
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
}
