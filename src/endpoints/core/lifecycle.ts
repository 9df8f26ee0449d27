import { labelText, type Translate } from '../../base/format/text';

/** In the order in which the view lists them. */
export const endpointGroups = ['attention', 'starting', 'ready', 'ended'] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** How a state is shown. Colors mean serving, needs attention, failed or ended, and are never the only cue. */
export interface StateAppearance {
  readonly group: EndpointGroup;
  readonly icon: string;
  readonly color?: string;
  /** Position on the way to `ready`, from 1 to {@link lastStep}. */
  readonly step?: number;
  readonly label: string;
  /** The state changes without the user, so it is worth polling. */
  readonly isTransitional: boolean;
}

export const lastStep = 7;

const needsYou = 'problemsWarningIcon.foreground';
const over = 'disabledForeground';

/** Source: service document, "States and transitions". A spinner is shown only while something runs. */
const appearances: ReadonlyMap<string, (t: Translate) => StateAppearance> = new Map<
  string,
  (t: Translate) => StateAppearance
>([
  [
    'checkout_pending',
    t => ({
      group: 'attention',
      icon: 'credit-card',
      color: needsYou,
      label: t('Waiting for payment'),
      isTransitional: true,
    }),
  ],
  ['paid', t => starting(1, 'check', t('Paid'))],
  ['capacity_held', t => starting(2, 'lock', t('GPUs reserved'))],
  ['provisioning', t => starting(3, 'loading~spin', t('Preparing GPUs'))],
  ['pr_open', t => starting(4, 'git-pull-request', t('Configuration in review'))],
  ['merged', t => starting(5, 'git-merge', t('Configuration approved'))],
  ['deploying', t => starting(6, 'loading~spin', t('Loading the model'))],
  [
    'ready',
    t => ({
      group: 'ready',
      icon: 'pass-filled',
      color: 'testing.iconPassed',
      step: lastStep,
      label: t('Ready'),
      isTransitional: false,
    }),
  ],
  [
    'suspended',
    t => ({
      group: 'attention',
      icon: 'debug-pause',
      color: needsYou,
      label: t('Suspended'),
      isTransitional: false,
    }),
  ],
  [
    'failed',
    t => ({
      group: 'attention',
      icon: 'error',
      color: 'testing.iconFailed',
      label: t('Failed'),
      isTransitional: false,
    }),
  ],
  ['refunding', t => ended('history', t('Refund in progress'), true)],
  ['refunded', t => ended('discard', t('Refunded'))],
  ['canceled', t => ended('circle-slash', t('Canceled'))],
]);

function starting(step: number, icon: string, label: string): StateAppearance {
  return { group: 'starting', icon, step, label, isTransitional: true };
}

function ended(icon: string, label: string, isTransitional = false): StateAppearance {
  return {
    group: 'ended',
    icon,
    ...(isTransitional ? {} : { color: over }),
    label,
    isTransitional,
  };
}

/** Unknown states are shown by name and treated like a starting endpoint. */
export function appearanceOf(state: string, t: Translate): StateAppearance {
  const look = appearances.get(state);
  if (look) return look(t);
  return {
    group: 'starting',
    icon: 'question',
    label: t('New state "{0}"', labelText(state, 40)),
    isTransitional: true,
  };
}

/** The facts about a state that need no translation. */
export const stateFactsOf = (
  state: string,
): Pick<StateAppearance, 'group' | 'isTransitional' | 'step'> => appearanceOf(state, text => text);

/** Requests may only go to an endpoint in this state (service document, States, rule 1). */
export const isServing = (state: string): boolean => state === 'ready';

/** Label of a group header. */
export function groupLabel(group: EndpointGroup, t: Translate): string {
  switch (group) {
    case 'attention':
      return t('Needs Attention');
    case 'starting':
      return t('Starting');
    case 'ready':
      return t('Ready');
    default:
      return t('Ended');
  }
}

/** Actors of lifecycle events (service document, Lifecycle event); unknown ones are shown by name. */
export function actorLabel(actor: string, t: Translate): string {
  switch (actor) {
    case 'user':
      return t('someone in your account');
    case 'payments_provider':
      return t('the payment provider');
    case 'system':
      return t('the service');
    case 'code_host_app':
      return t('the code host');
    case 'code_host_actions':
      return t('a job of the code host');
    default:
      return labelText(actor, 40);
  }
}

/** Event types that the service document lists; unknown ones are shown by name. */
export function eventLabel(eventType: string, t: Translate): string {
  switch (eventType) {
    case 'payment.succeeded':
      return t('Payment received');
    case 'capacity.held':
      return t('GPUs reserved');
    case 'deployment.started':
      return t('Deployment started');
    case 'deployment.ready':
      return t('Ready');
    case 'deployment.failed':
      return t('Deployment failed');
    case 'cancellation.noticed':
      return t('Cancellation requested');
    case 'cancellation.effective':
      return t('Cancellation took effect');
    default:
      return labelText(eventType, 60);
  }
}
