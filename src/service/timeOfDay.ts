/** `HH:MM:SS` of this machine's zone. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString('en-GB');
}
