/** Stands in the side bar for all views of the account, until there is one. */
export const connectView = 'splice.connect';
/** Scheme of the connection report. */
export const reportScheme = 'splice-report';
