/** Speakers as bits, so that a set of speakers is one number. */
export const speakerBit = { user: 1, assistant: 2, tool: 4, system: 8 } as const;

/** One of {@link speakerBit}. */
export type Speaker = number;

/** Consecutive lines of one speaker. The first segment starts at 0; each ends where the next starts. */
export interface Segment {
  /** Offset of the first character, at the start of a line. */
  start: number;
  speaker: Speaker;
  /** False for what belongs to the previous turn: a tool result, or a call after the text that announces it. */
  startsTurn: boolean;
  /** The first line only names the speaker. */
  hasHeader: boolean;
  /** Kept whole, whatever the ratio. */
  isPinned: boolean;
}

export const conversationBits = speakerBit.user | speakerBit.assistant;

export function segmentOf(start: number, speaker: Speaker): Segment {
  return {
    start,
    speaker,
    startsTurn: speaker === speakerBit.user,
    hasHeader: false,
    isPinned: false,
  };
}
