import { LRUCache } from 'lru-cache';
import type { Translate } from '../base/format/text';
import { taggedParts } from '../base/text/scan';
import { middleModel, modelLabel } from '../contracts/chatModels';
import {
  estimateTokens,
  type Model,
  type ModelPick,
  type PickRequest,
  serviceLimits,
} from '../service';
import type { Conversation, ConversationTurn } from './format/conversation';
import { takesImages, takesTools, tokenLimitsOf } from './listing';

/** Router request: the user's last prompt, and the models that can take the conversation. */
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
      tokenLimitsOf(model).input >= promptTokens &&
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

/**
 * The user's last prompt. VS Code's agents wrap it in text that says little about the task, and put tool
 * results into user turns.
 */
export function lastPrompt(turns: readonly ConversationTurn[]): string {
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

/** Keeps the end of a prompt, which usually contains the instruction; the text before it is mostly context. */
function withinLimit(text: string): string {
  const limit = serviceLimits.routerTokens;
  let kept = text.slice(-8 * limit);
  for (let tokens = estimateTokens(kept); tokens > limit; tokens = estimateTokens(kept)) {
    kept = kept.slice(Math.ceil(kept.length * (1 - (0.95 * limit) / tokens)));
  }
  return kept;
}

/** The model for one prompt; all requests of an agent for that prompt go to the same model. */
export interface ModelChoice {
  readonly model: Model;
  /** Shown to the user; '' if there is none. */
  readonly reason: string;
}

/** Reason as in `difficulty: hard, 91 % sure`; undefined for a model that is not a candidate. */
export function choiceOf(
  pick: ModelPick,
  candidates: readonly Model[],
  t: Translate,
): ModelChoice | undefined {
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

/** One line that names the model that answers. */
export function choiceText({ model, reason }: ModelChoice, t: Translate): string {
  const name = modelLabel(model.id);
  return reason === ''
    ? t('Auto: {0} answers.', name)
    : t('Auto: {0} answers ({1}).', name, reason);
}

const maxChoices = 50;

/** The latest choices of the router, by prompt. */
export class ModelChoiceCache {
  readonly #byPrompt = new LRUCache<string, ModelChoice>({ max: maxChoices });

  get(request: PickRequest): ModelChoice | undefined {
    const known = this.#byPrompt.get(request.input);
    return known && request.allowedModels?.includes(known.model.id) ? known : undefined;
  }

  keep(request: PickRequest, choice: ModelChoice): void {
    this.#byPrompt.set(request.input, choice);
  }

  clear(): void {
    this.#byPrompt.clear();
  }
}
