/** The walkthrough, as VS Code names it. */
export const startWalkthrough = 'start';
