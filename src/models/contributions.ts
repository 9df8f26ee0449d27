import { args, choice, contribute, section } from '../platform/commands/contribute';
import { hasApiKey, modelVendor } from '../platform/ids';

export const contributions = contribute({
  commands: {
    'splice.models.why': ["Why Don't I See My Models?"],
    'splice.models.manage': ['Manage Models'],
    'splice.models.useInChat': ['Use Models in Chat', 'comment-discussion', hasApiKey, args<[isAgreed?: boolean, model?: string]>()],
  },
  others: { languageModelChatProviders: [{ vendor: modelVendor, displayName: 'Splice', managementCommand: 'splice.service.connect' }] },
  settings: section('Models', {
    'splice.chat.wireFormat': choice('The API format in which Splice calls its chat models. Dedicated endpoints and standby always use chat completions.', {
      chat: 'Chat completions.',
      messages: 'Messages: thinking is sent back to the model with the next request, and the service can cache what is sent again.',
    }),
  }),
});
