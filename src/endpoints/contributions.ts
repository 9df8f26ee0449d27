import { itemHas } from '../platform/commands/contextValue';
import { address, args, choice, contribute, inView, menu, notTrusted, section, view } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';
import { contextKeys, endpointsView } from './ids';
import type { EndpointFlag } from './tree/endpointFlag';

const { hasEndpoints, endpointsOff } = contextKeys;
const has = itemHas<EndpointFlag>;
const row = args<[row?: { readonly id: string }]>();

export const contributions = contribute({
  commands: {
    'splice.endpoints.refresh': ['Refresh Endpoints', 'refresh', hasApiKey],
    'splice.endpoints.show': ['Show Endpoint Page', 'graph', hasEndpoints, row],
    'splice.endpoints.useInChat': ['Use Endpoint in Chat', 'comment-discussion', hasEndpoints, row],
    'splice.endpoints.test': ['Send Test Request to Endpoint', 'run', hasEndpoints, row],
    'splice.endpoints.copyConnection': ['Copy Endpoint Connection As…', 'copy', hasEndpoints, row],
    'splice.endpoints.copyUrl': ['Copy Endpoint URL', 'link', hasEndpoints, row],
    'splice.endpoints.copyId': ['Copy Endpoint ID', '', hasEndpoints, row],
    'splice.endpoints.copyValue': ['Copy Value', 'copy', false, row],
    'splice.endpoints.showStatus': ['Open Endpoint Status as JSON', 'json', hasEndpoints, row],
    'splice.endpoints.watch': ['Watch Endpoint (Notify When Ready)', 'eye', hasEndpoints, row],
    'splice.endpoints.unwatch': ['Stop Watching Endpoint', 'eye-closed', hasEndpoints, row],
    'splice.endpoints.dismiss': ['Dismiss Failed Endpoint', 'close', hasEndpoints, row],
    'splice.endpoints.moreEvents': ['Load More Events', '', false, row],
    'splice.endpoints.readAgain': ['Reload Endpoint', 'refresh', false, row],
    'splice.endpoints.openDashboard': ['Open Dashboard (Buy, Billing)', 'link-external', `${hasApiKey} || config.splice.endpoints.dashboardUrl`],
    'splice.endpoints.cancel': ['Cancel Endpoint in Dashboard…', 'link-external', hasEndpoints, row],
  },
  menus: [
    ...menu('view/title', inView(endpointsView), [
      ['splice.endpoints.refresh', 'navigation@1', `${endpointsOff} != untrusted`],
      ['splice.endpoints.openDashboard', 'navigation@2'],
    ]),
    ...menu('view/item/context', inView(endpointsView), [
      ['splice.endpoints.useInChat', 'inline@1 1_use@1', has('serves')],
      ['splice.endpoints.test', 'inline@2 1_use@2', has('serves')],
      ['splice.endpoints.copyUrl', 'inline@3 2_copy@2', has('serves')],
      ['splice.endpoints.watch', 'inline@1 4_watch@1', has('watchable')],
      ['splice.endpoints.unwatch', 'inline@1 4_watch@1', has('watched')],
      ['splice.endpoints.openDashboard', 'inline@2 5_dashboard@1', has('billing')],
      ['splice.endpoints.dismiss', 'inline@1 4_watch@2', has('dismissable')],
      ['splice.endpoints.copyConnection', 'inline@1', has('connection')],
      ['splice.endpoints.copyValue', 'inline@1 2_copy@1', has(['detail', 'url'])],
      ['splice.endpoints.copyConnection', '2_copy@1', has(['serves', 'connection'])],
      ['splice.endpoints.copyId', '2_copy@3', has('endpoint')],
      ['splice.endpoints.show', 'inline@4 3_show@1', has('endpoint')],
      ['splice.endpoints.showStatus', '3_show@2', has('endpoint')],
      ['splice.endpoints.cancel', '5_dashboard@2', has('current')],
    ]),
  ],
  settings: section('Endpoints', {
    'splice.endpoints.dashboardUrl': address(
      "The URL of the service's dashboard, where dedicated endpoints are bought, paid for and canceled. `https` only. Splice opens it in the browser and sends nothing there.",
      {
        pattern: ['^(https://.*)?$', 'The URL must begin with https://.'],
      },
    ),
    'splice.endpoints.notifications': choice(
      'Which notifications about dedicated endpoints Splice shows, each one once.',
      {
        all: 'Everything that needs your attention, and every endpoint that becomes ready.',
        attention: 'Endpoints that need your attention: failed, suspended, refunded, canceled by somebody else, or ending within a day; and endpoints that you watch, when they become ready.',
        off: 'None.',
      },
      { default: 'attention' },
    ),
  }),
  views: view(
    endpointsView,
    'Endpoints',
    {
      [`${endpointsOff} == untrusted`]: notTrusted,
      [`${endpointsOff} == ''`]:
        'Your account has no dedicated endpoints yet. You can buy them in the dashboard of the service.\n[Open Dashboard](command:splice.endpoints.openDashboard)\nShared models do not need one.',
    },
    { when: hasApiKey },
  ),
});
