import { type Translate, labelText } from '../host/words';

/** In the order of the view. */
export const groups = ['attention', 'starting', 'ready', 'ended'] as const;
export type Group = (typeof groups)[number];

/** How a state is shown. Colour has four meanings and never stands alone: serving, needs you, broken, over. */
export interface StateLook {
  readonly group: Group;
  readonly icon: string;
  readonly color?: string;
  /** On the way to `ready`, from 1 to {@link lastStep}. */
  readonly step?: number;
  readonly words: string;
  /** The next move comes by itself, so it is worth looking for. */
  readonly isMoving: boolean;
}

export const lastStep = 7;

const needsYou = 'problemsWarningIcon.foreground';
const over = 'disabledForeground';

/** The states of the service document, States and transitions. Spinners stand only where something runs. */
const looks: ReadonlyMap<string, (t: Translate) => StateLook> = new Map<
  string,
  (t: Translate) => StateLook
>([
  [
    'checkout_pending',
    t => ({
      group: 'attention',
      icon: 'credit-card',
      color: needsYou,
      words: t('Waiting for payment'),
      isMoving: true,
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
      words: t('Ready'),
      isMoving: false,
    }),
  ],
  [
    'suspended',
    t => ({
      group: 'attention',
      icon: 'debug-pause',
      color: needsYou,
      words: t('Suspended'),
      isMoving: false,
    }),
  ],
  [
    'failed',
    t => ({
      group: 'attention',
      icon: 'error',
      color: 'testing.iconFailed',
      words: t('Failed'),
      isMoving: false,
    }),
  ],
  ['refunding', t => ended('history', t('Refund in progress'), true)],
  ['refunded', t => ended('discard', t('Refunded'))],
  ['canceled', t => ended('circle-slash', t('Canceled'))],
]);

function starting(step: number, icon: string, words: string): StateLook {
  return { group: 'starting', icon, step, words, isMoving: true };
}

function ended(icon: string, words: string, isMoving = false): StateLook {
  return { group: 'ended', icon, ...(isMoving ? {} : { color: over }), words, isMoving };
}

/** Of any state: one that is new is shown as it is, and looked after like one that starts. */
export function lookOf(state: string, t: Translate): StateLook {
  const look = looks.get(state);
  if (look) return look(t);
  return {
    group: 'starting',
    icon: 'question',
    words: t('New state "{0}"', labelText(state, 40)),
    isMoving: true,
  };
}

/** Without words, for code that decides. */
export const factsOf = (state: string): Pick<StateLook, 'group' | 'isMoving' | 'step'> =>
  lookOf(state, text => text);

/** No request may go to one in any other state (service document, States, rule 1). */
export const serves = (state: string): boolean => state === 'ready';

/** Of a group that stands as a row. */
export function groupWords(group: Group, t: Translate): string {
  switch (group) {
    case 'attention':
      return t('Needs You');
    case 'starting':
      return t('Starting');
    case 'ready':
      return t('Ready');
    default:
      return t('Ended');
  }
}

/** Actors of lifecycle events (service document, Lifecycle event); others are shown as they are. */
export function actorWords(actor: string, t: Translate): string {
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

/** Of the event types that the service document shows; others are shown as they are. */
export function eventWords(eventType: string, t: Translate): string {
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
