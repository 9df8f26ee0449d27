/** For labels in the status bar and in lists, where `$(name)` would become an icon. */
export const withoutIcons = (text: string): string => text.replaceAll('$(', '$ (');
