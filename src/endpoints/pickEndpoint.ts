import * as vscode from 'vscode';
import { labelText } from '../base/format/text';
import { UserError } from '../base/userError';
import { endpointName } from '../contracts/endpointName';
import type { ListedEndpoint } from './core/endpointsSnapshot';
import { appearanceOf } from './core/lifecycle';
import { noneFits, refreshStep } from './noneFits';

const { t } = vscode.l10n;

/** Where the endpoints come from. */
interface EndpointSource {
  /** Id of the endpoint of a row of the view. */
  readonly subjectOf: (row: unknown) => string | undefined;
  /** @param isReadAtLeast reads the list where that has not been done */
  readonly endpoints: (isReadAtLeast: boolean) => Promise<readonly ListedEndpoint[]>;
}

/**
 * Id of the endpoint of a row; without a row the user picks one of those that fit.
 * @throws {UserError} when the endpoint is not in the list or does not fit, or none fits
 */
export async function pickEndpoint(
  argument: unknown,
  title: string,
  fits: (endpoint: ListedEndpoint) => boolean = () => true,
  { subjectOf, endpoints }: EndpointSource,
): Promise<string | undefined> {
  const named =
    typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
  const subject = named === undefined ? undefined : (subjectOf(argument) ?? named);
  if (subject !== undefined) {
    const endpoint = (await endpoints(false)).find(({ id }) => id === subject);
    if (!endpoint) {
      throw new UserError(t('This endpoint is no longer in the list.'), refreshStep());
    }
    if (!fits(endpoint)) {
      throw new UserError(
        t('Not possible in this state: {0}.', appearanceOf(endpoint.state, t).label),
        refreshStep(),
      );
    }
    return endpoint.id;
  }
  const all = await endpoints(true);
  const fitting = all.filter(fits);
  if (fitting.length === 0) throw noneFits(title, all.length);
  const picked = await vscode.window.showQuickPick(
    fitting.map(endpoint => ({
      label: endpointName(endpoint),
      description: appearanceOf(endpoint.state, t).label,
      detail: labelText(endpoint.id),
      id: endpoint.id,
    })),
    { title },
  );
  return picked?.id;
}
