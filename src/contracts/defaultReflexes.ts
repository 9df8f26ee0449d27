/** A classifier that the user can choose. */
export interface Reflex {
  readonly name: string;
  /** What it detects, in English; for a custom one, what is known about its training. */
  readonly catches: string;
  readonly labels: readonly string[];
  /** Labels that the indicator shows prominently. */
  readonly notable: readonly string[];
  /** Whether a notable label colors the status bar as a warning. */
  readonly isSafety: boolean;
}

const reflex = (
  name: string,
  labels: readonly string[],
  catches: string,
  notable: readonly string[] = [],
  isSafety = false,
): Reflex => ({ name, labels, catches, notable, isSafety });

/** Source: service document, Endpoints, "Default reflexes". Those without notable labels are scales or topics. */
export const defaultReflexes: readonly Reflex[] = [
  reflex(
    'jailbreak',
    ['benign', 'jailbreak'],
    'prompt injection and jailbreaks',
    ['jailbreak'],
    true,
  ),
  reflex('guardrail', ['true', 'false'], 'harassment or NSFW content', ['true'], true),
  reflex(
    'leaked-thinking',
    ['clean', 'leaked'],
    'agent leaking internal thinking',
    ['leaked'],
    true,
  ),
  reflex('stuck-in-a-loop', ['progressing', 'looping'], 'agent blocked', ['looping']),
  reflex('incomplete-thought', ['complete', 'incomplete'], 'truncated user prompt', ['incomplete']),
  reflex('user-frustrated', ['frustrated', 'not'], 'user frustrated', ['frustrated']),
  reflex('user-joy', ['joy', 'not_joy'], 'user delighted'),
  reflex('ambiguity', ['low', 'med', 'high'], 'how underspecified a prompt is'),
  reflex('difficulty', ['easy', 'medium', 'hard'], 'prompt difficulty'),
  reflex('domain', ['general', 'summary', 'coding', 'design', 'data'], 'topic (several may hold)'),
  reflex('health-emergency', ['emergency', 'non-emergency'], 'urgent message', ['emergency']),
];
