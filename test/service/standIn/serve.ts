import { written } from '../../../src/base/sentence';
import { compactText, type LineRange } from '../../../src/compact/core/compactor';
import { mergeEdit } from '../../../src/merge';
import type { CompactRequest, CompactResult, Span } from './compactor';
import { type StandIn, type StandInOptions, startStandIn } from './index';
import { invalid } from './routing';

export interface ServiceOptions {
  /** Another one when it is taken. */
  readonly port: number;
  /** How much faster than real time the service's clock runs. */
  readonly speed: number;
}

/** For people to enter; the stand-in listens on loopback only. */
export const demoKey = 'sk-stand-in-demo';

/** The stand-in for `npm run service` and `npm start`: with the local merge, a running clock, and streams to look at. */
export async function serve({ port, speed }: ServiceOptions): Promise<StandIn> {
  const options: StandInOptions = {
    apiKey: demoKey,
    speed,
    pauseMs: 25,
    merge(code, update, instruction) {
      const result = mergeEdit(code, update, instruction === undefined ? {} : { instruction });
      if (result.kind === 'refused') throw invalid(written(result.reason));
      return result.text;
    },
    engines: { compact },
  };
  const service = await startStandIn({ ...options, port }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return startStandIn(options);
    throw error;
  });
  // One that can be watched on its way from the checkout to `ready`.
  service.endpoints.create({ planName: 'On its way' });
  return service;
}

/** The project's own compactor, with the defaults of the service. */
export function compact(request: CompactRequest): CompactResult {
  const { input, query, ratio = 0.5, preserveRecent = 0 } = request;
  const done = compactText(input, { query, ratio, preserveRecent });
  const { output, removedRanges, forcedRanges } = done;
  return { output, compacted: removedRanges.map(spanOf), kept: forcedRanges.map(spanOf) };
}

function spanOf([start, end]: LineRange): Span {
  return { start, end };
}
