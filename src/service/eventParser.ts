import { type EventSourceMessage, createParser } from 'eventsource-parser';

export interface EventParser {
  /** Takes the text of one network read. */
  feed(text: string): void;
}

/**
 * A parser of server-sent events that says when an event is too large. It listens to no other errors:
 * the library makes an `Error` with its stack for each line of an unknown field, which costs a hundred
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
        // Does nothing, unless an event was too large: then a parser takes no further text.
        parser.feed('');
      } catch {
        onOverflow();
      }
    },
  };
}
