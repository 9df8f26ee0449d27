import { type EndpointTotals, type TokenPrice, tokenUsd } from '../../service';

const hourMs = 3_600_000;

export interface BreakEvenInput {
  /** The traffic of this computer. */
  readonly totals: EndpointTotals;
  /** The price of the same model, shared; undefined where the catalogue has none. */
  readonly sharedPrice: TokenPrice | undefined;
  /** US dollars; undefined where the user has not entered it, because the service does not say. */
  readonly hourlyUsd: number | undefined;
  /** When it first served and when it stopped, or now; ms since the epoch. */
  readonly readyAt: number | undefined;
  readonly until: number;
}

/** Undefined is what is not known. */
export interface BreakEven {
  /** What the tokens would have cost on the shared model. */
  readonly sharedUsd: number | undefined;
  /** The hourly price since it was ready. */
  readonly spentUsd: number | undefined;
  /** When both began, of serving and of the first recorded call the later; ms since the epoch. */
  readonly since: number | undefined;
  /** The hourly price over the time since then. */
  readonly dedicatedUsd: number | undefined;
  readonly tokensPerHour: number | undefined;
  /** Tokens per hour, of the same mix, at which both cost the same. */
  readonly evenTokensPerHour: number | undefined;
}

export function breakEvenOf(input: BreakEvenInput): BreakEven {
  const { totals, sharedPrice, hourlyUsd, readyAt, until } = input;
  const tokens = totals.promptTokens + totals.completionTokens;
  const sharedUsd = sharedPrice && tokenUsd(totals, sharedPrice);
  const usdPerToken = sharedUsd !== undefined && tokens > 0 ? sharedUsd / tokens : 0;
  // Before the first recorded call nothing is known of the traffic.
  const since =
    readyAt === undefined || totals.since === undefined
      ? undefined
      : Math.max(readyAt, totals.since);
  const hours = hoursBetween(since, until);
  return {
    sharedUsd,
    spentUsd: times(hoursBetween(readyAt, until), hourlyUsd),
    since,
    dedicatedUsd: times(hours, hourlyUsd),
    tokensPerHour: hours === undefined || hours === 0 ? undefined : tokens / hours,
    evenTokensPerHour:
      hourlyUsd === undefined || usdPerToken <= 0 ? undefined : hourlyUsd / usdPerToken,
  };
}

const hoursBetween = (from: number | undefined, to: number): number | undefined =>
  from === undefined ? undefined : Math.max(0, to - from) / hourMs;

const times = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a * b;
