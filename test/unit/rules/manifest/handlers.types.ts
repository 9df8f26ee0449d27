// Held by the type check: an unused @ts-expect-error is an error.
import type { contributions } from '../../../../src/costs/contributions';
import type { SettingId } from '../../../../src/platform/commands/contribute';
import type {
  commandItem,
  Handlers,
  runCommand,
} from '../../../../src/platform/commands/registerCommands';
import type { contributions as search } from '../../../../src/search/contributions';

const nothing = (): undefined => undefined;
const all = {
  'splice.costs.show': nothing,
  'splice.costs.lastAnswer': () => undefined,
  'splice.costs.export': nothing,
  'splice.costs.changeBudget': nothing,
  'splice.costs.ignoreBudget': nothing,
};
all satisfies Handlers<typeof contributions>;

// @ts-expect-error -- forgotten commands
({ 'splice.costs.show': nothing }) satisfies Handlers<typeof contributions>;

// @ts-expect-error -- a command that is not declared
({ ...all, 'splice.costs.burn': nothing }) satisfies Handlers<typeof contributions>;

type Found = Handlers<typeof search, string>['splice.search.showFound'];
((_controller, id) => id.toFixed()) satisfies Found;
// @ts-expect-error -- callers pass a number
((_controller: string, id: string) => id) satisfies Found;

type Call = Parameters<typeof runCommand<'splice.search.showFound'>>;
['splice.search.showFound', 1] satisfies Call;
// @ts-expect-error -- the id is missing
['splice.search.showFound'] satisfies Call;

type Item = Parameters<typeof commandItem<'splice.costs.show'>>;
// @ts-expect-error -- takes no arguments
['Show Costs', 'splice.costs.show', 1] satisfies Item;

'splice.costs.stopAtBudget' satisfies SettingId;
// @ts-expect-error -- no such setting
'splice.costs.nothing' satisfies SettingId;
