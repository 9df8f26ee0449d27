/** Scheme of the connection report. */
export const reportScheme = 'splice-report';
