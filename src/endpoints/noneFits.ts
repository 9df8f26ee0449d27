import * as vscode from 'vscode';
import { UserError } from '../base/userError';
import type { CommandId } from '../platform/commands/contribute';

const { t } = vscode.l10n;

/** The next step that helps when an endpoint is not in the expected state. */
export const refreshStep = () => ({
  title: t('Refresh Endpoints'),
  command: 'splice.endpoints.refresh' satisfies CommandId,
});

/**
 * No endpoint suits a command.
 * @param title the action, as shown above the list of endpoints
 */
export function noneFits(title: string, count: number): UserError {
  return count === 0
    ? new UserError(
        t('The account has no dedicated endpoint yet. They are bought in the dashboard.'),
        {
          title: t('Open Dashboard'),
          command: 'splice.endpoints.openDashboard' satisfies CommandId,
        },
      )
    : new UserError(
        t(
          count === 1
            ? '{0}: the endpoint is not in a state for that.'
            : '{0}: none of the {1} endpoints is in a state for that.',
          title,
          count,
        ),
        refreshStep(),
      );
}
