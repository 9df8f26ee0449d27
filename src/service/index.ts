/** The public interface of the service client; nothing else is imported from outside of this folder. */
export {
  type Advice,
  type AdviceAction,
  actionsAfter,
  adviceFor,
  briefMessage,
  causeOf,
  sentenceFor,
} from './advice';
export {
  searchConversationChars,
  searchKnownNote,
  searchTags,
  searchTurnNote,
  searchTurns,
} from './assumptions';
export { endpoint, isLoopback, parseBaseUrl } from './baseUrl';
export type { Budget, BudgetWarning } from './billing/budget';
export {
  type ChatCost,
  type ChatForecast,
  chatCosts,
  chatForecast,
} from './billing/chatForecast';
export {
  type CallSource,
  type CostPurpose,
  costPurposes,
  isCostPurpose,
  purposeName,
} from './billing/costPurpose';
export {
  boundRecord,
  callLine,
  type EndpointCall,
  type EndpointRecord,
  type EndpointTotals,
  parseRecord,
  recordText,
  totalsOf,
} from './billing/endpointCalls';
export {
  type CostDay,
  type CostDimension,
  type CostGroup,
  type CostRow,
  type CostSums,
  costsBy,
  costsByDay,
  dayOf,
  type Ledger,
  type LedgerEntry,
  ledgerCsv,
  monthOf,
  parseLedger,
  sumCosts,
} from './billing/ledger';
export { LedgerBilling, type LedgerPart, type LedgerStore } from './billing/ledgerBilling';
export { eventPrices, PriceBook, priceOf, tokenUsd } from './billing/pricing';
export { ServiceClient } from './client';
export { endpointTarget } from './endpointPolicy';
export { type ErrorKind, isStandbyRefusal, ServiceError } from './errors';
export type { CallInfo, CallResult, Cost, RetryWait, TokenPrice } from './http/operation';
export { keyringError, unlockPage } from './keyring';
export { limitError, serviceLimits } from './limits';
export { estimateTokens, estimateTokensOf } from './tokens';
export { loadUndici } from './transport/loadUndici';
export { isProxyLogin, networkError } from './transport/networkError';
export { fetchTransport, type Transport } from './transport/transport';
export type { DispatcherOptions } from './transport/undiciTransport';
export type { Usage } from './usage';
export type { Batch } from './wire/batches';
export { type Catalogue, fallbackModels, type Model } from './wire/catalogue';
export type { AnswerDelta, Tool, ToolCall } from './wire/chat/answer';
export type { ChatResult } from './wire/chat/chat';
export {
  type ChatCompletionMessage,
  type ChatContent,
  type ChatContentPart,
  type ChatRequest,
  dynamicToolModels,
  type ReasoningEffort,
  type SentToolCall,
  searchModel,
  standbyModels,
} from './wire/chat/chatRequest';
export type { MessagesResult } from './wire/chat/messageBuilder';
export {
  chatOnlyModels,
  type MessageBlock,
  type MessageParam,
  type MessagesRequest,
  type TextBlock,
  type ThinkingBlock,
} from './wire/chat/messagesRequest';
export type { CompactRoute } from './wire/compact';
export type {
  EndpointConnection,
  EndpointEvent,
  EndpointList,
  EndpointStatus,
  EndpointSummary,
  EndpointTarget,
} from './wire/dedicated';
export type { FineTuningJob } from './wire/fineTuning';
export { type Page, pages } from './wire/pages';
export type { Prediction, Predictions } from './wire/reflex';
export { chunksOfRows, type ReflexRow, type ReflexRowResult } from './wire/reflexBatches';
export { type ModelPick, needsInfo, type PickRequest } from './wire/router';
