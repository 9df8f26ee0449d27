import { estimateTokens } from '../../../src/service/tokens';

/** A class and the words in a text that speak for it; the first class is the one without any. */
interface Reflex {
  readonly labels: readonly string[];
  /** How much speaks for each label, about 0 to 3. */
  readonly evidence: (text: string) => readonly number[];
  /** Labels are independent of each other; otherwise their scores sum to 1. */
  readonly isMulti?: boolean;
}

const count = (text: string, cue: RegExp): number => text.match(cue)?.length ?? 0;

/** Two classes: `cue` speaks for one of them, its absence for the other. */
function twoWay(labels: readonly [string, string], cue: RegExp, positive: 0 | 1 = 1): Reflex {
  return {
    labels,
    evidence(text) {
      const found = count(text, cue);
      const other = found === 0 ? 2.5 : 0;
      const strength = found === 0 ? 0 : 1.5 + found;
      return positive === 1 ? [other, strength] : [strength, other];
    },
  };
}

/** Three classes on a scale from 0 to 1. */
function scale(labels: readonly string[], level: (text: string) => number): Reflex {
  return {
    labels,
    evidence: text =>
      labels.map((_, at) => 5 - 8 * Math.abs(level(text) - at / (labels.length - 1))),
  };
}

const within01 = (value: number): number => Math.max(0, Math.min(1, value));

const domains: Readonly<Record<string, RegExp>> = {
  general: /\b(?:what|who|when|hello|hi|explain|tell me)\b/gi,
  summary: /\b(?:summar\w+|tl;?dr|shorten|condense|key points)\b/gi,
  coding:
    /\b(?:code|function|bug|class|compile\w*|refactor\w*|typescript|python|test|api)\b|```|[{};]\s*$/gim,
  design: /\b(?:design|layout|colou?rs?|font|logo|mock-?up|user interface|ui)\b/gi,
  data: /\b(?:data(?:set|base)?|csv|sql|tables?|charts?|rows?|columns?|statistics)\b/gi,
};

/** Those of the service document (Endpoints, "Default reflexes"), played by simple cues in the text. */
export const defaultReflexes: Readonly<Record<string, Reflex>> = {
  jailbreak: twoWay(
    ['benign', 'jailbreak'],
    /\bignore (?:all|any|the|your|previous|prior)\b|\bsystem prompt\b|\bdeveloper mode\b|\bno restrictions\b|\bjailbreak\b|\bpretend (?:you|to be)\b|\bbypass\b/gi,
  ),
  guardrail: twoWay(
    ['true', 'false'],
    /\b(?:idiot|moron|stupid|hate you|shut up|nsfw|nude|porn\w*|kill)\b/gi,
    0,
  ),
  'leaked-thinking': twoWay(
    ['clean', 'leaked'],
    /<\/?think(?:ing)?>|\blet me think\b|\bthe user (?:wants|is asking|asked)\b|\bmy instructions\b|^(?:wait|hmm|okay, so)\b/gim,
  ),
  'stuck-in-a-loop': {
    labels: ['progressing', 'looping'],
    evidence(text) {
      const steps = text
        .split(/[\n.!?]+/)
        .map(step => step.trim())
        .filter(step => step.length > 3);
      const repeated = steps.length - new Set(steps).size;
      const cues = count(text, /\b(?:same error|try(?:ing)? again|once more|still failing)\b/gi);
      const strength = repeated + cues;
      return strength === 0 ? [2.5, 0] : [0, 1 + strength];
    },
  },
  'incomplete-thought': {
    labels: ['complete', 'incomplete'],
    evidence: text =>
      /(?:\b(?:and|or|but|the|a|to|with|for|of|in|because)|[,:(-]|\.\.\.|…)\s*$/i.test(text)
        ? [0, 3]
        : /[.!?"'`)}\]]\s*$/.test(text)
          ? [3, 0]
          : [1.2, 0.9],
  },
  'user-frustrated': twoWay(
    ['frustrated', 'not'],
    /\bstill (?:not|broken|does|doesn|fail)|\b(?:wtf|ugh|useless|annoy\w*|frustrat\w*|ridiculous|terrible|waste of time)\b|!{2,}|\bwhy (?:won't|doesn't|isn't)\b/gi,
    0,
  ),
  'user-joy': twoWay(
    ['joy', 'not_joy'],
    /\b(?:thanks?|thank you|great|awesome|love it|perfect|amazing|wonderful|brilliant)\b|:-?\)|🎉/gi,
    0,
  ),
  ambiguity: scale(['low', 'med', 'high'], text => {
    const words = count(text, /\S+/g);
    const vague = count(text, /\b(?:it|this|that|stuff|thing|something|somehow|better|fix)\b/gi);
    const exact = count(text, /`[^`]+`|\b\w+\.\w+\b|"[^"]+"|\d+/g);
    return within01(0.5 + vague * 0.25 - exact * 0.25 - Math.max(0, words - 6) * 0.06);
  }),
  difficulty: scale(['easy', 'medium', 'hard'], text => {
    const hard = count(
      text,
      /\b(?:distributed|concurren\w*|race condition|deadlock|prove|proof|architect\w*|optimi[sz]\w*|compiler|migrat\w*|scal\w*)\b/gi,
    );
    return within01(hard * 0.4 + count(text, /\S+/g) * 0.01);
  }),
  domain: {
    labels: Object.keys(domains),
    isMulti: true,
    evidence: text => Object.values(domains).map(cue => Math.min(3, count(text, cue)) * 2 - 1.5),
  },
  'health-emergency': twoWay(
    ['emergency', 'non-emergency'],
    /\b(?:chest pain|can(?:'|no)t breathe|bleeding|overdos\w*|unconscious|stroke|heart attack|seizure|suicid\w*)\b/gi,
    0,
  ),
};

/** A classifier of the account: its own labels, found in the text by their words. */
export function customReflex(labels: readonly string[]): Reflex {
  return {
    labels,
    evidence: text =>
      labels.map(label =>
        label
          .split(/[\W_]+/)
          .reduce((sum, word) => sum + 2 * count(text, new RegExp(`\\b${word}`, 'gi')), 0),
      ),
  };
}

/** Least score of a class that is selected. */
const thresholds = { single: 0.6, multi: 0.5 };

export interface ScoredClass {
  readonly class_id: number;
  readonly label: string;
  readonly score: number;
  readonly selected: boolean;
}

export function classify(
  { labels, evidence, isMulti = false }: Reflex,
  text: string,
): ScoredClass[] {
  // One word says little: the scores move together, and none is selected.
  const weight = count(text, /\S+/g) < 2 && !isMulti ? 0.1 : 1;
  const found = evidence(text).map(strength => strength * weight);
  const scores = isMulti ? found.map(x => round(1 / (1 + Math.exp(-x)))) : softmax(found);
  const best = Math.max(...scores);
  const least = isMulti ? thresholds.multi : Math.max(thresholds.single, best);
  return labels.map((label, at) => {
    const score = scores[at] ?? 0;
    return { class_id: at, label, score, selected: score >= least };
  });
}

/** The fields of a reflex prediction (service document, Resources). */
export function predictionOf(model: string, reflex: Reflex, text: string): object {
  const tokens = estimateTokens(text);
  return {
    model,
    mode: reflex.isMulti === true ? 'multi_label' : 'single_label',
    classes: classify(reflex, text),
    inference_time_ms: 6 + Math.floor(tokens / 500),
    prefill_tokens: tokens,
  };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Rounded so that the sum is still 1, up to the last bit. */
function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  const parts = values.map(value => Math.exp(value - most));
  const sum = parts.reduce((a, b) => a + b, 0);
  const scores = parts.map(part => round(part / sum));
  const others = scores.slice(1).reduce((a, b) => a + b, 0);
  return [round(1 - others), ...scores.slice(1)];
}

export type { Reflex };
