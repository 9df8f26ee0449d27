/** Escapes `$(name)`, which labels in the status bar and in lists show as an icon. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$ (');
