import type { Translate } from '../../base/format/text';
import type { EndpointStatus } from '../../service';
import type { EndpointsSnapshot } from '../core/endpointsSnapshot';

/** The status that was read when the endpoint's row was expanded, or why it could not be read. */
export type EndpointDetails =
  | { readonly status: EndpointStatus; readonly at: number }
  /** Why it could not be read, shown to the user. */
  | { readonly failure: string };

export interface EndpointRowsInput {
  readonly snapshot: EndpointsSnapshot;
  readonly nowMs: number;
  readonly details: Pick<ReadonlyMap<string, EndpointDetails>, 'get'>;
  readonly dismissed: ReadonlySet<string>;
  readonly watched: ReadonlySet<string>;
  /** Events that are shown, by id; `eventsPageSize` where there is none. */
  readonly shownEvents: ReadonlyMap<string, number>;
  readonly t: Translate;
  readonly locale?: string | undefined;
  readonly commands: { readonly moreEvents: string; readonly retry: string };
}
