import * as vscode from 'vscode';

/**
 * A quick pick item with its icon beside the label. Screen readers would read the name of an icon that is in the label,
 * such as "circle large outline".
 */
export const withIcon = <T extends { readonly icon?: string }>({ icon, ...item }: T) => ({
  ...item,
  ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon) }),
});
