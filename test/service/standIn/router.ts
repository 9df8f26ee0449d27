import { serviceLimits } from '../../../src/service/limits';
import { type CatalogueModel, catalogue, providers } from './catalogue';
import { classify, defaultReflexes, type ScoredClass } from './reflexModel';
import {
  type Call,
  checkLength,
  invalid,
  notFound,
  oneOf,
  type Route,
  readFields,
} from './routing';

const classNames = ['difficulty', 'ambiguity', 'domain'] as const;

interface Classification {
  readonly label: string;
  readonly confidence: number;
  readonly meets_threshold: boolean;
}

/** Service document, Endpoints, "Router". */
export function routerRoutes(): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/router/classify',
      handle({ body }) {
        const { input, classes } = readFields(body, { input: 'string', classes: 'strings?' });
        checkInput(input);
        for (const name of classes ?? []) oneOf('classes', name, classNames);
        const wanted = classes && classes.length > 0 ? classes : classNames;
        return {
          classifications: Object.fromEntries(
            wanted.map(name => [name, classificationOf(name, input)]),
          ),
        };
      },
    },
    { method: 'POST', path: '/v1/router/multimodel', handle: multimodel },
    {
      method: 'POST',
      path: '/v1/router/raw',
      handle({ body }) {
        const { label, confidence } = readRaw(body);
        return { difficulty: label, confidence };
      },
    },
    {
      method: 'POST',
      path: '/v1/router/{provider}',
      handle({ body, params }) {
        const own = catalogue.filter(({ provider }) => provider === params['provider']);
        if (own.length === 0) throw notFound('no such route');
        const { label, confidence, isAggressive } = readRaw(body);
        return { model: pick(own, label, isAggressive).id, confidence };
      },
    },
  ];
}

function multimodel({ body }: Call): object {
  const read = readFields(body, {
    input: 'string',
    allowed_models: 'strings?',
    allowed_providers: 'strings?',
    policy: 'string?',
    default_model: 'string?',
  });
  const { input, allowed_models: ids = [], allowed_providers: keys = [] } = read;
  checkInput(input);
  oneOf('policy', read.policy, ['balanced', 'cost_efficient']);
  for (const key of keys) oneOf('allowed_providers', key, providers);
  const all = catalogue.map(({ id }) => id);
  for (const id of ids) if (!all.includes(id)) throw invalid(`unknown model: ${id}`);
  const isFree = ids.length + keys.length === 0;
  const candidates = catalogue.filter(
    ({ id, provider }) => isFree || ids.includes(id) || keys.includes(provider),
  );
  const classifications = Object.fromEntries(
    classNames.map(name => [name, classificationOf(name, input)]),
  );
  const { label, confidence } = difficultyOf(input);
  const chosen = pick(candidates, label, read.policy === 'cost_efficient');
  const isUnclear = label === 'needs_info' && read.default_model !== undefined;
  const model = isUnclear ? (read.default_model ?? '') : chosen.id;
  return {
    model,
    provider: catalogue.find(({ id }) => id === model)?.provider ?? chosen.provider,
    difficulty: label,
    confidence,
    classifications,
  };
}

function readRaw(body: Call['body']) {
  const { input, mode } = readFields(body, { input: 'string', mode: 'string?' });
  checkInput(input);
  oneOf('mode', mode, ['balanced', 'aggressive']);
  return { ...difficultyOf(input), isAggressive: mode === 'aggressive' };
}

function checkInput(input: string): void {
  checkLength('input', input, serviceLimits.routerTokens);
}

function classificationOf(name: string, input: string): Classification {
  const reflex = defaultReflexes[name];
  const classes = reflex ? classify(reflex, input) : [];
  const best = classes.reduce<ScoredClass | undefined>(
    (top, item) => (top && top.score >= item.score ? top : item),
    undefined,
  );
  return {
    label: best?.label ?? '',
    confidence: best?.score ?? 0,
    meets_threshold: best?.selected ?? false,
  };
}

function difficultyOf(input: string): { label: string; confidence: number } {
  const { label, confidence, meets_threshold: isClear } = classificationOf('difficulty', input);
  return { label: isClear ? label : 'needs_info', confidence };
}

/** A dearer model for a harder prompt; thrift takes the next cheaper step. */
function pick(
  candidates: readonly CatalogueModel[],
  difficulty: string,
  isThrifty: boolean,
): CatalogueModel {
  const byPrice = [...candidates].sort((a, b) => a.input + a.output - b.input - b.output);
  const share = { easy: 0, hard: 1 }[difficulty] ?? 0.5;
  const at = Math.round(Math.max(0, share - (isThrifty ? 0.4 : 0)) * (byPrice.length - 1));
  const model = byPrice[at];
  if (!model) throw invalid('no model is allowed');
  return model;
}
