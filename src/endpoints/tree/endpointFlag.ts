import type { EndpointGroup } from '../core/lifecycle';

/** What menus can test on an item of the view. */
export type EndpointFlag =
  | EndpointGroup
  | 'billing'
  | 'connection'
  | 'current'
  | 'detail'
  | 'dismissable'
  | 'endpoint'
  | 'failure'
  | 'gone'
  | 'group'
  | 'more'
  | 'serves'
  | 'timeline'
  | 'url'
  | 'watchable'
  | 'watched';
