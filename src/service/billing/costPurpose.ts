import { type Sentence, sentence } from '../../base/sentence';

/** What calls are for, as the ledger and the budgets tell them apart. */
export const costPurposes = [
  'apply',
  'edit',
  'search',
  'compact',
  'chat',
  'auto',
  'reflex',
  'batch',
  'playground',
  'test',
] as const;

/** `auto`: picking a model for a prompt; `test`: trying a connection or an endpoint. */
export type CostPurpose = (typeof costPurposes)[number];

/** What a call is for: names, never content. */
export interface CallSource {
  readonly purpose: CostPurpose;
  /** An id that the calls of one chat share. */
  readonly chat?: string | undefined;
}

export const isCostPurpose = (value: unknown): value is CostPurpose =>
  costPurposes.some(purpose => purpose === value);

const names: Readonly<Record<CostPurpose, Sentence>> = {
  apply: sentence('Apply'),
  edit: sentence('Edits with an Instruction'),
  search: sentence('Search'),
  compact: sentence('Compact'),
  chat: sentence('Chat'),
  auto: sentence('Picking Models'),
  reflex: sentence('Reflex'),
  batch: sentence('Reflex Batches'),
  playground: sentence('Playground'),
  test: sentence('Connection Tests'),
};

export const purposeName = (purpose: CostPurpose): Sentence => names[purpose];
