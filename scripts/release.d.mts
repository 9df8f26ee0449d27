export function isPreRelease(version: string): boolean;
export function notesOf(changelog: string, version: string): string | undefined;
export function faultsOfRelease(release: {
  /** The one that starts the release, such as `v0.2.0`; not checked where it is left out. */
  tag?: string;
  manifest: { version: string; [field: string]: unknown };
  changelog: string;
}): string[];
