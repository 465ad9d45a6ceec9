export { type Fault, type Problem, StentorError } from './errors.ts'
export type * from './generated/types.gen.ts'
export type { AnswerOf, ItemOf, Operation, OptionsOf } from './pages.ts'
export type { RetryOptions } from './send.ts'
export { createStentor, Stentor, type StentorOptions } from './stentor.ts'
export type { StreamEvent, StreamOptions, StreamQuery } from './stream.ts'
export type { Content, FileOptions, FileSource } from './uploads.ts'
export {
  type GivenHeaders,
  verifyWebhook,
  type WebhookDelivery,
  WebhookError,
  type WebhookRequest,
} from './webhooks.ts'
