/** Decides which follow-ups are offered; VS Code stores it with the answer. */
export interface ChatMetadata {
  readonly suggests: 'apply' | 'explain' | 'start' | 'nothing';
}
