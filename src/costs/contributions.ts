import { amount, contribute, section, toggle } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';

export const contributions = contribute({
  commands: {
    'splice.costs.show': ['Show Costs'],
    'splice.costs.export': ['Export Costs as CSV…', '', hasApiKey],
    'splice.costs.changeBudget': ['Change Budget', '', hasApiKey],
  },
  settings: section('Costs', {
    'splice.costs.monthlyBudgetUsd': amount(
      'The monthly budget for calls to the service, in US dollars; `0` means no budget. Splice notifies you at 80% and at 100%, once each. Calls without a published price are not counted.',
      0,
    ),
    'splice.costs.stopAtBudget': toggle('Refuse calls that cost money for the rest of the month once the budget is spent. The local merge keeps working.'),
  }),
});
