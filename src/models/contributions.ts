import { choice, contribute, section } from '../platform/commands/contribute';
import { modelVendor } from '../platform/ids';

export const contributions = contribute({
  commands: {
    'splice.models.why': ["Why Don't I See My Models?"],
    'splice.models.manage': ['Manage Models'],
  },
  others: { languageModelChatProviders: [{ vendor: modelVendor, displayName: 'Splice' }] },
  settings: section('Models', {
    'splice.chat.wireFormat': choice('The API format in which Splice calls its chat models. Dedicated endpoints and standby always use chat completions.', {
      chat: 'Chat completions.',
      messages: 'Messages: thinking is sent back to the model with the next request, and the service can cache what is sent again.',
    }),
  }),
});
