/** Whether the windows of this run have longer texts. */
export const isLonger: boolean;
/** A text of Splice as a window of such a run has it. */
export function longerText(text: string): string;
/** The English text again, also of several texts in one. */
export function withoutTail(text: string): string;
