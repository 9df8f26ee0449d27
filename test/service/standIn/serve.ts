import { mergeEdit } from '../../../src/merge';
import { type StandIn, startStandIn } from './index';

export interface ServiceOptions {
  readonly port: number;
  /** How much faster than real time the service's clock runs. */
  readonly speed: number;
}

/** For people to enter; the stand-in listens on loopback only. */
export const demoKey = 'sk-stand-in-demo';

/** The stand-in for `npm run service` and `npm start`: with the local merge, a running clock, and streams to look at. */
export async function startService({ port, speed }: ServiceOptions): Promise<StandIn> {
  const service = await startStandIn({
    apiKey: demoKey,
    port,
    speed,
    pauseMs: 25,
    merge(code, update, instruction) {
      const result = mergeEdit(code, update, instruction === undefined ? {} : { instruction });
      if (result.kind === 'refused') throw new Error(result.reason);
      return result.text;
    },
  });
  // One that can be watched on its way from the checkout to `ready`.
  service.endpoints.create({ planName: 'On its way' });
  return service;
}
