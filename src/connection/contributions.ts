import { address, choice, contribute, menu, section, view } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';
import { connectView, reportScheme } from './ids';

/** Without one, only what asks for both is offered. */
const hasAddress = 'config.splice.service.baseUrl';
const inReport = `resourceScheme == ${reportScheme}`;

export const contributions = contribute({
  commands: {
    'splice.service.connect': ['Connect to Service…', 'plug'],
    'splice.service.switch': ['Switch Service…', 'arrow-swap', hasApiKey],
    'splice.service.setApiKey': ['Set API Key…', '', hasAddress],
    'splice.service.removeApiKey': ['Remove API Key', '', hasApiKey],
    'splice.service.setUrl': ['Set Service URL…', '', hasAddress],
    'splice.showLog': ['Show Log'],
    'splice.service.diagnose': ['Diagnose Connection'],
    'splice.service.copyReport': ['Copy Connection Report', 'copy', inReport],
  },
  menus: [...menu('editor/title', inReport, [['splice.service.copyReport', 'navigation@1']])],
  views: view(
    connectView,
    'Connect',
    {
      '': 'A service adds chat models to the chat of VS Code, helps where the local merge is not certain, and shows your endpoints, batches and classifiers here. You need its address and a key.\n[Connect to Service…](command:splice.service.connect)\nApply, Search and Compact work without one.',
    },
    { when: `!${hasApiKey}`, isOpen: true },
  ),
  settings: section('Service', {
    'splice.service.baseUrl': address(
      'The URL of the service, for example `https://api.example.com`. **Splice: Connect to Service…** sets it together with the API key, which is stored for one address and is never sent to another.',
    ),
    'splice.service.siteUrl': address(
      "The URL of the service's website, where the public catalogue of models and prices is. If empty, the URL of the service is used. The API key is never sent there.",
    ),
    'splice.network.transport': choice('Which HTTP client sends requests.', {
      auto: "HTTP/2 with the proxy and certificates that VS Code is configured to use; VS Code's own fetch where that is not possible.",
      undici: "Always HTTP/2, never VS Code's own fetch.",
      host: "Always VS Code's own fetch.",
    }),
  }),
});
