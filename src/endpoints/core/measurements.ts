import type { EndpointCall } from '../../service';

/** What is measured of a call. */
export const measures = ['latency', 'first', 'speed'] as const;
export type Measure = (typeof measures)[number];

/** The shortest time in which a speed is worth measuring, in milliseconds. */
const minGenerationMs = 50;

/** Milliseconds, or tokens per second for `speed`; undefined where the call does not show it. */
export function measured(call: EndpointCall, measure: Measure): number | undefined {
  const { isOk, ms, firstMs, completionTokens } = call;
  if (!isOk) return undefined;
  if (measure === 'latency') return ms;
  if (measure === 'first') return firstMs;
  // The first token has come when the time of the others begins.
  const generatedMs = firstMs === undefined ? ms : ms - firstMs;
  const tokens = firstMs === undefined ? completionTokens : completionTokens - 1;
  return tokens < 1 || generatedMs < minGenerationMs ? undefined : (1000 * tokens) / generatedMs;
}

/** The value below which a share of them lies, between two values by their distance. @param sorted ascending, not empty */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export interface Figures {
  readonly median: number;
  /** What 19 of 20 calls keep: no longer than this, or for a speed no slower. */
  readonly bound: number;
}

/** @returns undefined where nothing was measured */
export function figuresOf(values: readonly number[], measure: Measure): Figures | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const bound = quantile(sorted, measure === 'speed' ? 0.05 : 0.95);
  return { median: quantile(sorted, 0.5), bound };
}

/** The calls that ended within one part of the time that is shown. */
export interface Bucket {
  /** ms since the epoch. */
  readonly from: number;
  /** Test requests among them. */
  readonly probes: number;
  readonly calls: number;
  readonly failed: number;
  readonly figures: Readonly<Record<Measure, Figures | undefined>>;
}

export interface TimeRange {
  /** ms since the epoch. */
  readonly from: number;
  readonly to: number;
  /** Length of a bucket in milliseconds. */
  readonly stepMs: number;
}

const hourMs = 3_600_000;

/** The ranges that the page offers, in hours, and the minutes of their buckets. */
export const ranges = { 1: 1, 24: 30, 168: 180, 720: 720 } as const;

/** The range of some hours that ends now; buckets begin at multiples of their length, so that they stay as they are. */
export function rangeOf(hours: keyof typeof ranges, nowMs: number): TimeRange {
  const stepMs = ranges[hours] * 60_000;
  const to = Math.ceil((nowMs + 1) / stepMs) * stepMs;
  return { from: to - hours * hourMs, to, stepMs };
}

export const callsWithin = (
  calls: readonly EndpointCall[],
  { from, to }: TimeRange,
): EndpointCall[] => calls.filter(({ at }) => at >= from && at < to);

export function figuresByMeasure(
  calls: readonly EndpointCall[],
): Readonly<Record<Measure, Figures | undefined>> {
  const of = (measure: Measure): Figures | undefined =>
    figuresOf(
      calls.flatMap(call => measured(call, measure) ?? []),
      measure,
    );
  return { latency: of('latency'), first: of('first'), speed: of('speed') };
}

/** The buckets that have calls, oldest first. */
export function bucketsOf(calls: readonly EndpointCall[], range: TimeRange): Bucket[] {
  const groups = new Map<number, EndpointCall[]>();
  for (const call of callsWithin(calls, range)) {
    const from = range.from + Math.floor((call.at - range.from) / range.stepMs) * range.stepMs;
    const group = groups.get(from);
    if (group) group.push(call);
    else groups.set(from, [call]);
  }
  return [...groups]
    .toSorted(([a], [b]) => a - b)
    .map(([from, group]) => ({
      from,
      calls: group.length,
      probes: group.filter(({ isProbe }) => isProbe).length,
      failed: group.filter(({ isOk }) => !isOk).length,
      figures: figuresByMeasure(group),
    }));
}

/** A mark of the chart, in its units: `x` to the right, `y` and `top` from the top down. */
export interface ChartMark {
  readonly bucket: Bucket;
  readonly figures: Figures;
  readonly x: number;
  readonly width: number;
  /** Where the median is. */
  readonly y: number;
  /** Where the greater of both figures is. */
  readonly top: number;
}

export interface Chart {
  readonly marks: readonly ChartMark[];
  /** The value at the top of the chart. */
  readonly max: number;
}

/** Marks of the figures of each bucket; zero is at the bottom. */
export function chartOf(
  buckets: readonly Bucket[],
  measure: Measure,
  { from, to, stepMs }: TimeRange,
  { width, height }: { readonly width: number; readonly height: number },
): Chart {
  const known = buckets.flatMap(bucket => {
    const figures = bucket.figures[measure];
    return figures ? [{ bucket, figures }] : [];
  });
  const max = niceMax(
    Math.max(0, ...known.map(({ figures: { median, bound } }) => Math.max(median, bound))),
  );
  const scale = width / (to - from);
  const y = (value: number): number => height - (height * Math.min(value, max)) / max;
  return {
    max,
    marks: known.map(({ bucket, figures }) => ({
      bucket,
      figures,
      x: (bucket.from - from) * scale,
      width: stepMs * scale,
      y: y(figures.median),
      top: y(Math.max(figures.median, figures.bound)),
    })),
  };
}

/** The next of 1, 2 and 5 times a power of ten; 1 for zero. */
export function niceMax(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find(each => each * power >= value) ?? 10;
  return factor * power;
}
