import { amount, amountsByName, contribute, section, toggle } from '../platform/commands/contribute';
import { hasApiKey } from '../platform/ids';

export const contributions = contribute({
  commands: {
    'splice.costs.show': ['Show Costs'],
    'splice.costs.lastAnswer': ['Show Cost of Last Answer', '', hasApiKey],
    'splice.costs.export': ['Export Costs as CSV…', '', hasApiKey],
    'splice.costs.changeBudget': ['Change Budget', '', hasApiKey],
    'splice.costs.ignoreBudget': ['Ignore Budget for Today', '', hasApiKey],
  },
  settings: section('Costs', {
    'splice.costs.monthlyBudgetUsd': amount(
      'The monthly budget for calls to the service, in US dollars; `0` means no budget. Splice notifies you at 80% and at 100%, once each. Calls without a published price are not counted.',
      0,
    ),
    'splice.costs.stopAtBudget': toggle('Refuse calls that cost money for the rest of the month once the budget is spent. The local merge keeps working.'),
    'splice.costs.purposeBudgetsUsd': amountsByName(
      'Monthly budgets by what calls are for, in US dollars. Once one is spent, calls for that purpose are refused for the rest of the month; you can let them go on for the day.',
      {
        apply: 'Merges of edits by the service.',
        edit: 'Edits with an instruction and fixes.',
        search: 'Searches with the search model.',
        compact: 'Compaction by the service.',
        chat: "Answers in VS Code's chat.",
        auto: 'The router, which picks a model for a prompt.',
        reflex: 'Text classifiers, also those of the indicator.',
        batch: 'Batches of text classifiers.',
        playground: 'Prompts of the Playground, and evaluations of reflexes.',
        test: 'Tests of connections and endpoints.',
      },
    ),
    'splice.costs.showBelowAnswers': toggle("Say below each answer in VS Code's chat what it took. The line is not sent to a model.", true),
    'splice.costs.showInStatusBar': toggle('Show in the status bar what the calls of today cost.'),
  }),
});
