/** The keys that decide on one change, as VS Code shows them; a user may have others. */
export const decisionKeys = (isMac: boolean): { readonly yes: string; readonly no: string } =>
  isMac ? { yes: '⌃⌘Y', no: '⌃⌘N' } : { yes: 'Alt+Y', no: 'Alt+N' };
