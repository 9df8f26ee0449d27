import { withoutHeaders } from '../../local/query/requestedRoute';
import { maxQueryChars } from '../../local/query/terms';

/** Colors of a terminal, such as `ESC[31m`. */
// oxlint-disable-next-line no-control-regex -- these are control characters
const colors = /\u001b\[[\d;]{0,20}[a-z]/gi;
/** All but tabs and line ends. */
// oxlint-disable-next-line no-control-regex -- these are control characters
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * What is searched for, of what was typed or pasted. It is shown, kept in the history, and sent to the search model,
 * so it is without the headers of a copied request.
 */
export const queryOf = (typed: string): string =>
  withoutHeaders(
    typed.slice(0, maxQueryChars).replaceAll(colors, '').replaceAll(controls, ' ').trim(),
  );
