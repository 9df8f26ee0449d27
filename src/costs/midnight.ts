/** The end of a day, in local time; both in ms since the epoch. */
export const midnightAfter = (at: number): number => new Date(at).setHours(24, 0, 0, 0);
