import { taggedParts } from '../base/scan';
import type { Translate } from '../host/words';
import { serviceLimits } from '../service/limits';
import { estimateTokens } from '../service/tokens';
import type { Model } from '../service/wire/catalogue';
import type { ModelPick, PickRequest } from '../service/wire/router';
import type { Conversation, Turn } from './conversation';
import { nameOf, takesImages, takesTools, windowsOf } from './listing';

/** What the router is asked: the last words of the user, and the models that can take the conversation. */
export function pickRequest(
  conversation: Conversation,
  candidates: readonly Model[],
  promptTokens: number,
): PickRequest {
  const hasImages = conversation.turns.some(({ parts }) =>
    parts.some(part => part.type === 'image'),
  );
  const fitting = candidates.filter(
    model =>
      windowsOf(model).input >= promptTokens &&
      (!hasImages || takesImages(model)) &&
      (conversation.tools.length === 0 || takesTools(model)),
  );
  const allowed = fitting.length > 0 ? fitting : candidates;
  return {
    input: withinLimit(lastPrompt(conversation.turns)),
    allowedModels: allowed.map(({ id }) => id),
    policy: 'balanced',
    defaultModel: middleModel(allowed)?.id,
  };
}

/** The one in the middle by price: neither the weakest nor the dearest; no beta where there are others. */
export function middleModel(models: readonly Model[]): Model | undefined {
  const stable = models.filter(({ isBeta }) => !isBeta);
  const byPrice = (stable.length > 0 ? stable : models).toSorted(
    (a, b) => (a.price?.output ?? 0) - (b.price?.output ?? 0),
  );
  return byPrice[Math.floor(byPrice.length / 2)];
}

/**
 * VS Code's agents wrap the user's words in more text, most of which says nothing about the task; results
 * of tools stand in user turns too, and are not the user's.
 */
export function lastPrompt(turns: readonly Turn[]): string {
  for (const { role, parts } of turns.toReversed()) {
    if (role !== 'user') continue;
    const text = parts
      .flatMap(part => (part.type === 'text' ? [part.text] : []))
      .join('\n')
      .trim();
    if (text === '') continue;
    const own = taggedParts(text, /<userRequest>/g, /<\/userRequest>/g)
      .at(-1)
      ?.body.trim();
    return own || text;
  }
  return '';
}

/** The end of a prompt says what is wanted; the text before it is mostly material. */
function withinLimit(text: string): string {
  const limit = serviceLimits.routerTokens;
  let kept = text.slice(-8 * limit);
  for (let tokens = estimateTokens(kept); tokens > limit; tokens = estimateTokens(kept))
    kept = kept.slice(Math.ceil(kept.length * (1 - (0.95 * limit) / tokens)));
  return kept;
}

/** A choice for one prompt; an agent's many requests for it go to the same model. */
export interface Choice {
  readonly model: Model;
  /** For people: why. */
  readonly reason: string;
}

/** `difficulty hard, 91 % sure`; a pick outside of `candidates` counts as none. */
export function choiceOf(
  pick: ModelPick,
  candidates: readonly Model[],
  t: Translate,
): Choice | undefined {
  const model = candidates.find(({ id }) => id === pick.model);
  if (!model) return undefined;
  const { difficulty, confidence } = pick;
  const sure =
    confidence === undefined ? '' : t('{0}\u00a0% sure', Math.round(Math.min(1, confidence) * 100));
  const how =
    difficulty === undefined
      ? ''
      : difficulty === 'needs_info'
        ? t('the prompt leaves open how hard it is')
        : t('difficulty: {0}', difficulty);
  return { model, reason: [how, sure].filter(Boolean).join(', ') };
}

/** One line about who answers. */
export function choiceText({ model, reason }: Choice, t: Translate): string {
  const name = nameOf(model.id);
  return reason === ''
    ? t('Auto: {0} answers.', name)
    : t('Auto: {0} answers ({1}).', name, reason);
}

const mostChoices = 50;

/** Choices by prompt, the latest ones. */
export class Choices {
  readonly #byPrompt = new Map<string, Choice>();

  get(request: PickRequest): Choice | undefined {
    const known = this.#byPrompt.get(request.input);
    return known && request.allowedModels?.includes(known.model.id) ? known : undefined;
  }

  keep(request: PickRequest, choice: Choice): void {
    this.#byPrompt.delete(request.input);
    this.#byPrompt.set(request.input, choice);
    const [oldest] = this.#byPrompt.keys();
    if (this.#byPrompt.size > mostChoices && oldest !== undefined) this.#byPrompt.delete(oldest);
  }

  clear(): void {
    this.#byPrompt.clear();
  }
}
