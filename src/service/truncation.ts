import { type Sentence, sentence } from '../base/sentence';
import type { ServiceError } from './errors';

/** The message for a truncated answer, by the end reason of the service; see {@link finishReasons} and {@link stopReasons}. */
export function truncationText({ code }: ServiceError): Sentence {
  switch (code) {
    case undefined:
      return sentence('The answer ended before it was complete.');
    case 'length':
    case 'max_tokens':
      return sentence('The answer reached its maximum length before it was complete.');
    case 'model_context_window_exceeded':
      return sentence('The answer filled the context window of the model before it was complete.');
    case 'content_filter':
    case 'refusal':
      return sentence('A filter of the service stopped the answer before it was complete.');
    default:
      return sentence(
        'The service stopped the answer before it was complete, with the reason "{0}".',
        code,
      );
  }
}
