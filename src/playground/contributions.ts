import { args, contribute, menu, type UriArgument } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';

export const contributions = contribute({
  commands: {
    'splice.playground.open': ['Open Playground', '', hasApiKey],
    'splice.playground.evaluate': ['Evaluate Reflex…', '', hasApiKey, args<[file?: UriArgument]>()],
  },
  menus: [...menu('explorer/context', `${hasApiKey} && resourceScheme == file && resourceExtname =~ /^\\.(csv|tsv)$/`, [['splice.playground.evaluate', '4_search@11']])],
});
