import type { Handlers } from '../platform/commands/registerCommands';
import type { contributions } from './contributions';
import type { EndpointsController } from './controller';

/** What the commands of dedicated endpoints do. */
export const endpointCommands = {
  'splice.endpoints.refresh': controller => controller.refresh(),
  'splice.endpoints.show': (controller, row) => controller.showPage(row),
  'splice.endpoints.useInChat': ({ actions }, row) => actions.useInChat(row),
  'splice.endpoints.test': ({ actions }, row) => actions.test(row),
  'splice.endpoints.copyConnection': ({ actions }, row) => actions.copyConnection(row),
  'splice.endpoints.copyUrl': ({ actions }, row) => actions.copyUrl(row),
  'splice.endpoints.copyId': ({ actions }, row) => actions.copyId(row),
  'splice.endpoints.copyValue': (controller, row) => controller.copyValue(row),
  'splice.endpoints.showStatus': ({ actions }, row) => actions.showStatus(row),
  'splice.endpoints.watch': (controller, row) => controller.watch(row, true),
  'splice.endpoints.unwatch': (controller, row) => controller.watch(row, false),
  'splice.endpoints.dismiss': (controller, row) => controller.dismiss(row),
  'splice.endpoints.moreEvents': (controller, row) => controller.moreEvents(row),
  'splice.endpoints.readAgain': (controller, row) => controller.readAgain(row),
  'splice.endpoints.openDashboard': controller => controller.openDashboard(),
  'splice.endpoints.cancel': (controller, row) => controller.cancel(row),
} satisfies Handlers<typeof contributions, EndpointsController>;
