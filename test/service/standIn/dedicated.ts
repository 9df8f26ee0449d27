import { catalogue, modelOf } from './catalogue';
import { chatOf } from './chat';
import { hourMs, minuteMs, secondMs } from './clock';
import { type Answer, type Call, notFound, Refusal, type Route } from './routing';
import { uuid, type World } from './world';

/** Service document, States and transitions. */
export const endpointStates = [
  'checkout_pending',
  'paid',
  'capacity_held',
  'provisioning',
  'pr_open',
  'merged',
  'deploying',
  'ready',
  'refunding',
  'refunded',
  'failed',
  'suspended',
  'canceled',
] as const;

export type EndpointState = (typeof endpointStates)[number];

export interface NewEndpoint {
  /**
   * Where it stands now, with the path there behind it; it stays until it is played on. Without it the
   * endpoint begins at the checkout and goes on to `ready` by the clock.
   */
  readonly state?: EndpointState;
  /** With the clock it goes no further than this. */
  readonly stuckIn?: EndpointState;
  readonly modelId?: string;
  readonly planName?: string;
  /** Older by this, ms. */
  readonly ageMs?: number;
  readonly maxConcurrency?: number | null;
  /** Belongs to another account: never listed, and 404 by its id. */
  readonly isForeign?: boolean;
}

interface Step {
  readonly eventType: string;
  /** No `to`: an event that does not change the state. */
  readonly to?: EndpointState;
  readonly actor: 'user' | 'payments_provider' | 'system' | 'code_host_app' | 'code_host_actions';
  readonly provisioning?: string;
  /** After the step before, ms. */
  readonly afterMs: number;
}

const deadlineMs = 2 * hourMs;

/** The way to `ready`. Of the event types only those of payment, capacity and deployment are shown. */
const activation: readonly Step[] = [
  { eventType: 'payment.succeeded', to: 'paid', actor: 'payments_provider', afterMs: minuteMs },
  { eventType: 'capacity.held', to: 'capacity_held', actor: 'system', afterMs: 30 * secondMs },
  {
    eventType: 'provisioning.started',
    to: 'provisioning',
    actor: 'system',
    provisioning: 'pending',
    afterMs: 30 * secondMs,
  },
  {
    eventType: 'change.opened',
    to: 'pr_open',
    actor: 'code_host_app',
    provisioning: 'pr_open',
    afterMs: minuteMs,
  },
  {
    eventType: 'change.merged',
    to: 'merged',
    actor: 'code_host_actions',
    provisioning: 'merged',
    afterMs: 2 * minuteMs,
  },
  {
    eventType: 'deployment.started',
    to: 'deploying',
    actor: 'code_host_actions',
    provisioning: 'deploying',
    afterMs: minuteMs,
  },
  {
    eventType: 'deployment.ready',
    to: 'ready',
    actor: 'system',
    provisioning: 'ready',
    afterMs: 8 * minuteMs,
  },
];

const refundStarted: Step = {
  eventType: 'refund.started',
  to: 'refunding',
  actor: 'system',
  afterMs: 0,
};
const refundCompleted: Step = {
  eventType: 'refund.completed',
  to: 'refunded',
  actor: 'payments_provider',
  afterMs: 10 * minuteMs,
};

const noticed: Step = { eventType: 'cancellation.noticed', actor: 'user', afterMs: 0 };
const canceled: Step = {
  eventType: 'cancellation.effective',
  to: 'canceled',
  actor: 'system',
  afterMs: hourMs,
};

/** States beside the way to `ready`: where they are left from, and how they are reached. */
const detours: Partial<Record<EndpointState, { from: EndpointState; steps: readonly Step[] }>> = {
  refunding: { from: 'deploying', steps: [refundStarted] },
  refunded: { from: 'deploying', steps: [refundStarted, refundCompleted] },
  failed: {
    from: 'deploying',
    steps: [
      {
        eventType: 'deployment.failed',
        to: 'failed',
        actor: 'code_host_actions',
        provisioning: 'failed',
        afterMs: 5 * minuteMs,
      },
    ],
  },
  suspended: {
    from: 'ready',
    steps: [{ eventType: 'endpoint.suspended', to: 'suspended', actor: 'system', afterMs: hourMs }],
  },
  canceled: { from: 'ready', steps: [noticed, canceled] },
};

const resumed: Step = { eventType: 'endpoint.resumed', to: 'ready', actor: 'system', afterMs: 0 };

/** The steps between two states, as far as there is a way. */
function stepsTo(state: EndpointState, from: EndpointState): readonly Step[] {
  if (from === 'suspended' && state === 'ready') return [resumed];
  if (from === 'refunding' && state === 'refunded') return [refundCompleted];
  const detour = detours[state];
  if (detour) {
    const isBefore = endpointStates.indexOf(from) < endpointStates.indexOf(detour.from);
    return [...(isBefore ? stepsTo(detour.from, from) : []), ...detour.steps];
  }
  const at = endpointStates.indexOf(from);
  const to = endpointStates.indexOf(state);
  if (at > activation.length || to < at) throw new Error(`no way from ${from} to ${state}`);
  return activation.slice(at, to);
}

interface LifecycleEvent {
  readonly id: string;
  readonly eventType: string;
  readonly fromState: EndpointState | null;
  readonly toState: EndpointState | null;
  readonly actorType: Step['actor'];
  readonly createdAt: string;
}

/** An order in one of these has no deadline any more; one that failed still waits for its refund. */
const closed: readonly EndpointState[] = ['refunding', 'refunded', 'canceled'];

/** One endpoint; {@link settle} brings it to a time. */
class Endpoint {
  readonly events: LifecycleEvent[] = [];
  state: EndpointState = 'checkout_pending';
  provisioning: string | null = null;
  /** Made by the deployment, and never taken away again. */
  isConnected = false;
  activationDeadline: number | undefined;
  readyAt: number | undefined;
  cancelAt: number | undefined;
  running = 0;
  /** Steps to come, each with its time. */
  schedule: (readonly [step: Step, atMs: number])[] = [];

  constructor(
    readonly id: string,
    readonly createdAt: number,
    readonly given: NewEndpoint,
    private readonly nextEventId: () => string,
  ) {}

  plan(steps: readonly Step[], fromMs: number): void {
    let at = fromMs;
    this.schedule = steps.map(step => [step, (at += step.afterMs)]);
  }

  take({ eventType, to, actor, provisioning }: Step, atMs: number): void {
    this.events.push({
      id: this.nextEventId(),
      eventType,
      fromState: to ? this.state : null,
      toState: to ?? null,
      actorType: actor,
      createdAt: new Date(atMs).toISOString(),
    });
    if (provisioning !== undefined) this.provisioning = provisioning;
    if (!to) return;
    this.state = to;
    if (to === 'canceled') this.cancelAt ??= atMs;
    if (to === 'paid') this.activationDeadline = atMs + deadlineMs;
    if (to === 'deploying') this.isConnected = true;
    if (to === 'ready') this.readyAt ??= atMs;
  }

  cancel(nowMs: number, atMs: number): void {
    this.take(noticed, nowMs);
    this.cancelAt = atMs;
  }

  /** Everything that falls due by `nowMs`, in the order of its times. */
  settle(nowMs: number): void {
    for (;;) {
      const [next, nextAt = Infinity] = this.schedule[0] ?? [];
      const isOpen = this.readyAt === undefined && !closed.includes(this.state);
      const deadline = isOpen ? (this.activationDeadline ?? Infinity) : Infinity;
      const cancelAt = this.state === 'ready' ? (this.cancelAt ?? Infinity) : Infinity;
      const due = Math.min(nextAt, deadline, cancelAt);
      if (due > nowMs) return;
      if (due === deadline) {
        this.plan([refundCompleted], due);
        this.take(refundStarted, due);
      } else if (due === cancelAt) {
        this.schedule = [];
        this.take(canceled, due);
      } else if (next) {
        this.schedule.shift();
        this.take(next, due);
      }
    }
  }
}

/** The dedicated endpoints of the account, and by what a test moves them. */
export class Endpoints {
  readonly #world: World;
  readonly #url: () => string;
  readonly #seed: boolean;
  /** The seeds are made at the first look, as of this time. */
  readonly #startedAt: number;
  #all: Endpoint[] | undefined;
  #count = 0;
  #events = 0;

  /** @param url of the stand-in; @param seed one endpoint of every state, and one of another account. */
  constructor(world: World, url: () => string, seed: boolean) {
    this.#world = world;
    this.#url = url;
    this.#seed = seed;
    this.#startedAt = world.clock.now();
  }

  /** @returns the id. */
  create(given: NewEndpoint = {}): string {
    const list = this.#list();
    const endpoint = this.#make(given, this.#world.clock.now());
    list.push(endpoint);
    return endpoint.id;
  }

  /** Takes all steps to `state` now. @throws {Error} when no way leads there. */
  play(id: string, state: EndpointState): void {
    const endpoint = this.#own(id);
    endpoint.schedule = [];
    for (const step of stepsTo(state, endpoint.state)) endpoint.take(step, this.#world.clock.now());
  }

  /** A cancellation that takes effect at `atMs`, ms since the epoch. */
  cancel(id: string, atMs: number): void {
    this.#own(id).cancel(this.#world.clock.now(), atMs);
  }

  /** As if the account had never had it: not listed, and 404 by its id. */
  remove(id: string): void {
    const endpoint = this.#own(id);
    this.#all = this.#list().filter(item => item !== endpoint);
  }

  state(id: string): EndpointState {
    return this.#own(id).state;
  }

  /** Newest first. */
  get ids(): string[] {
    return this.#listed().map(({ id }) => id);
  }

  routes(): Route[] {
    const base = '/api/v1/dedicated/endpoints';
    return [
      {
        method: 'GET',
        path: base,
        isFlat: true,
        handle: () => ({ endpoints: this.#listed().map(endpoint => this.#listItem(endpoint)) }),
      },
      {
        method: 'GET',
        path: `${base}/{id}`,
        isFlat: true,
        handle: ({ params }) => this.#status(this.#own(params['id'])),
      },
      {
        method: 'POST',
        path: '/endpoints/{id}/v1/chat/completions',
        handle: call => this.#serve(this.#own(call.params['id']), call),
      },
    ];
  }

  /** Only `ready` serves; more than `maxConcurrency` requests at once are refused. */
  async #serve(endpoint: Endpoint, call: Call): Promise<Answer> {
    if (endpoint.state !== 'ready') throw notFound('Endpoint not found');
    const most = concurrencyOf(endpoint) ?? Infinity;
    if (endpoint.running >= most)
      throw new Refusal(429, 'rate_limited', 'too many requests at once, retry after 1 second');
    endpoint.running++;
    call.response.once('close', () => endpoint.running--);
    return chatOf(this.#world, call, servedName(endpoint));
  }

  #list(): Endpoint[] {
    if (!this.#all) {
      this.#all = [];
      if (this.#seed)
        for (const given of seeds()) this.#all.push(this.#make(given, this.#startedAt));
    }
    return this.#all;
  }

  #make(given: NewEndpoint, nowMs: number): Endpoint {
    const { state, ageMs = 0 } = given;
    const steps = state ? stepsTo(state, 'checkout_pending') : [];
    let after = 0;
    const timed = steps.map(step => {
      // The first step is the payment, and a refund begins two hours after it.
      after = step === refundStarted ? minuteMs + deadlineMs : after + step.afterMs;
      return [step, after] as const;
    });
    const createdAt = nowMs - ageMs - after - (state ? minuteMs : 0);
    const endpoint = new Endpoint(uuid(++this.#count), createdAt, given, () =>
      uuid(0xe0_00_00_00 + ++this.#events),
    );
    for (const [step, ms] of timed) endpoint.take(step, createdAt + ms);
    if (!state) endpoint.plan(stepsTo(given.stuckIn ?? 'ready', 'checkout_pending'), createdAt);
    return endpoint;
  }

  #listed(): Endpoint[] {
    const now = this.#world.clock.now();
    const own = this.#list().filter(({ given }) => given.isForeign !== true);
    for (const endpoint of own) endpoint.settle(now);
    return own.reverse().sort((a, b) => b.createdAt - a.createdAt);
  }

  /** Also hides that another account has an endpoint with this id. */
  #own(id: string | undefined): Endpoint {
    const endpoint = this.#list().find(item => item.id === id);
    if (!endpoint || endpoint.given.isForeign === true) throw notFound('Endpoint not found');
    endpoint.settle(this.#world.clock.now());
    return endpoint;
  }

  #listItem(endpoint: Endpoint): object {
    const { id, state, createdAt, readyAt, isConnected } = endpoint;
    return {
      id,
      state,
      createdAt: new Date(createdAt).toISOString(),
      readyAt: dateOf(readyAt),
      ...purchaseOf(endpoint),
      endpointUrl: isConnected ? this.#addressOf(endpoint) : null,
      servedModelName: isConnected ? servedName(endpoint) : null,
    };
  }

  #status(endpoint: Endpoint): object {
    const { id, state, createdAt, readyAt, activationDeadline, cancelAt } = endpoint;
    return {
      id,
      state,
      createdAt: new Date(createdAt).toISOString(),
      activationDeadline: dateOf(activationDeadline),
      readyAt: dateOf(readyAt),
      failureCode: null,
      spendCapCents: 250_000,
      ...purchaseOf(endpoint),
      reservedGpuEquivalents: 8,
      provisioningStatus: endpoint.provisioning,
      events: endpoint.events,
      endpoint: endpoint.isConnected ? this.#connection(endpoint) : null,
      cancelEffectiveAt: dateOf(cancelAt),
    };
  }

  #connection(endpoint: Endpoint): object {
    const model = modelOf(modelIdOf(endpoint));
    return {
      servedModelName: servedName(endpoint),
      displayName: `${model?.name ?? modelIdOf(endpoint)} (dedicated)`,
      endpointUrl: this.#addressOf(endpoint),
      hardware,
      contextWindow: model?.context ?? null,
      maxConcurrency: concurrencyOf(endpoint),
      inputPricePerM: model?.input ?? 0,
      outputPricePerM: model?.output ?? 0,
      cachedInputPricePerM: model?.cachedInput ?? null,
    };
  }

  #addressOf({ id }: Endpoint): string {
    return `${this.#url()}/endpoints/${id}`;
  }
}

const hardware = 'GPU generation 4';

const modelIdOf = ({ given }: Endpoint): string => given.modelId ?? 'svc-glm52-744b';
const servedName = (endpoint: Endpoint): string => `dedicated/${modelIdOf(endpoint)}`;
const concurrencyOf = ({ given }: Endpoint): number | null =>
  given.maxConcurrency === undefined ? 4 : given.maxConcurrency;
const dateOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

function purchaseOf(endpoint: Endpoint) {
  const modelId = modelIdOf(endpoint);
  return {
    modelId,
    modelDisplayName: modelOf(modelId)?.name ?? modelId,
    modelHardware: hardware,
    planName: endpoint.given.planName ?? 'Team 8',
  };
}

/** One endpoint of every state, those without a deadline some days old; and one of another account. */
function seeds(): NewEndpoint[] {
  const dayMs = 24 * hourMs;
  const settled: readonly EndpointState[] = ['ready', 'refunded', 'suspended', 'canceled'];
  const models = catalogue.map(({ id }) => id);
  const own = endpointStates.map((state, at) => ({
    state,
    modelId: models[at % models.length] ?? 'svc-glm52-744b',
    planName: at % 2 === 0 ? 'Team 8' : 'Studio 2',
    ageMs: settled.includes(state) ? at * dayMs : 0,
  }));
  return [...own, { state: 'ready', isForeign: true }];
}
