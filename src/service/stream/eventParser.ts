import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface EventParser {
  /** Takes the text of one network read. */
  feed(text: string): void;
}

/**
 * A parser of server-sent events that reports events above a size. It does not pass on other errors: the
 * library creates an `Error` with a stack for each line of an unknown field, which costs a hundred
 * times as much as reading the line.
 *
 * @param maxBufferSize characters of one event
 */
export function createEventParser({
  maxBufferSize,
  onEvent,
  onOverflow,
}: {
  readonly maxBufferSize: number;
  readonly onEvent: (event: EventSourceMessage) => void;
  readonly onOverflow: () => void;
}): EventParser {
  const parser = createParser({ maxBufferSize, onEvent });
  return {
    feed(text) {
      parser.feed(text);
      try {
        // Throws after an event that was too large, and else does nothing.
        parser.feed('');
      } catch {
        onOverflow();
      }
    },
  };
}
