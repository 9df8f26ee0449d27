import type { Translate } from '../base/format/text';
import type { SetupReason } from './listing';

/** Everything that decides whether models appear in VS Code's picker. */
export interface ModelListFacts {
  readonly setup: SetupReason | undefined;
  /** `1.125.0` */
  readonly version: string;
  /** `chat.disableAIFeatures` */
  readonly isChatOff: boolean;
  /** VS Code knows `workbench.action.chat.manage`. */
  readonly canManage: boolean;
  /** The chat extension that comes with VS Code runs. */
  readonly hasChatExtension: boolean;
  /** Whether Splice is in VS Code's list of providers; undefined if that cannot be determined. */
  readonly isProvider: boolean | undefined;
  /** Whether VS Code is signed in to GitHub; undefined if that cannot be determined. */
  readonly isSignedIn: boolean | undefined;
  /** Number of this extension's models that VS Code knows, without the setup entry. */
  readonly known: number;
  /** Why the catalogue could not be read and the built-in table is used. */
  readonly catalogueProblem: string | undefined;
  /** Why the dedicated endpoints could not be read. */
  readonly endpointsProblem: string | undefined;
}

export type ModelsStep =
  | 'trust'
  | 'connect'
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

export interface ModelListCause {
  /** `certain`: this is a cause. `possible`: only the user can tell. `fine`: this is in order. */
  readonly weight: 'certain' | 'possible' | 'fine';
  readonly title: string;
  readonly detail: string;
  readonly step?: ModelsStep;
}

/** First VS Code version whose picker offers extension models without a sign-in. */
const minVersion = [1, 122] as const;

/** All certain and possible causes, most certain first, each with one step that helps. */
export function diagnoseModels(facts: ModelListFacts, t: Translate): ModelListCause[] {
  const causes = [...setupCauses(facts, t), ...editorCauses(facts, t), ...possibleCauses(facts, t)];
  const order = { certain: 0, possible: 1, fine: 2 };
  return causes.toSorted((a, b) => order[a.weight] - order[b.weight]);
}

function setupCauses({ setup, ...facts }: ModelListFacts, t: Translate): ModelListCause[] {
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
          step: 'connect',
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
          detail: t('The system keyring is locked or does not respond.'),
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
  { catalogueProblem, endpointsProblem, known }: Omit<ModelListFacts, 'setup'>,
  t: Translate,
): ModelListCause[] {
  const causes: ModelListCause[] = [];
  if (catalogueProblem !== undefined) {
    causes.push({
      weight: 'possible',
      title: t('The model catalogue cannot be read'),
      detail: t(
        '{0} A built-in table is used instead, which lacks newer models.',
        catalogueProblem,
      ),
      step: 'diagnose',
    });
  }
  if (endpointsProblem !== undefined) {
    causes.push({
      weight: 'possible',
      title: t('The dedicated endpoints cannot be read'),
      detail: t('{0} Serving endpoints are missing from the picker.', endpointsProblem),
      step: 'diagnose',
    });
  }
  causes.push(
    known === 0
      ? {
          weight: 'certain',
          title: t('VS Code has not loaded the models yet'),
          detail: t('It loads them when the chat opens; this step loads them now.'),
          step: 'announce',
        }
      : {
          weight: 'fine',
          title: t(
            known === 1 ? 'VS Code knows 1 model of Splice' : 'VS Code knows {0} models of Splice',
            known,
          ),
          detail: t('Address, key and catalogue are in order.'),
        },
  );
  return causes;
}

function editorCauses(
  { version, isChatOff, canManage, hasChatExtension }: ModelListFacts,
  t: Translate,
): ModelListCause[] {
  const causes: ModelListCause[] = [];
  if (isOlder(version)) {
    causes.push({
      weight: 'certain',
      title: t('VS Code {0} is too old', version),
      detail: t('Extension models work without a sign-in since version {0}.', minVersion.join('.')),
      step: 'update',
    });
  }
  if (isChatOff) {
    causes.push({
      weight: 'certain',
      title: t('Chat is turned off in the settings'),
      detail: t('The setting chat.disableAIFeatures is on.'),
      step: 'chatSetting',
    });
  } else if (!canManage) {
    causes.push({
      weight: 'certain',
      title: t('This VS Code has no chat'),
      detail: t('It is a build without it, or a policy of your organization turns it off.'),
    });
  } else if (!hasChatExtension) {
    causes.push({
      weight: 'certain',
      title: t('The chat extension of VS Code is not enabled yet'),
      detail: t(
        'Opening the list of models enables it; Splice becomes one of its providers. No sign-in is needed.',
      ),
      step: 'enable',
    });
  }
  return causes;
}

/** Causes that an extension cannot detect. */
function possibleCauses(facts: ModelListFacts, t: Translate): ModelListCause[] {
  const { isSignedIn, isProvider, known, isChatOff, canManage, hasChatExtension } = facts;
  if (isChatOff || !canManage) return [];
  const causes: ModelListCause[] = [];
  if (hasChatExtension && isProvider !== true) {
    causes.push({
      weight: isProvider === undefined ? 'possible' : 'certain',
      title: t('Chat asks you to sign in to GitHub'),
      detail: t('It does so until a model provider is added to its list.'),
      step: 'addProvider',
    });
  }
  if (known > 0) {
    causes.push({
      weight: 'possible',
      title: t('The models may be hidden in the picker'),
      detail: t('The list of models has an eye icon for each of them.'),
      step: 'manage',
    });
  }
  if (isSignedIn === true) {
    causes.push({
      weight: 'possible',
      title: t('Your GitHub account may have no plan for chat'),
      detail: t(
        'Signed in without a plan, VS Code offers no models of extensions; signed out, it does. In an organization a policy must allow them.',
      ),
      step: 'accounts',
    });
  }
  return causes;
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]);
}
