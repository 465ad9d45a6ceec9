import type { MasterKeys } from '../../lib/crypto/seal.ts'
import {
  NoAnswerError,
  type OutboundAnswer,
  type OutboundPolicy,
  RefusedAddressError,
  sendOutboundRequest,
} from '../../lib/net/guarded-client.ts'
import type { WebhookFailure } from './outcomes.ts'
import { parseWebhookRetryAfter } from './schedule.ts'
import { signWebhookHeaders, type WebhookSecrets } from './signing.ts'

/** Dependencies of requests to receivers. */
export interface WebhookRequestContext {
  masterKeys: MasterKeys
  reach: OutboundPolicy
}

export interface WebhookMessage {
  /** The `webhook-id`. */
  id: string
  body: string
}

/** The result of a request: the status of the answer, if there was one, and the failure unless it succeeded. */
export interface WebhookTryResult {
  status: number | null
  failure: WebhookFailure | undefined
}

const REQUEST_TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 1024 * 1024

function toTryResult({ status, headers }: OutboundAnswer, now: number): WebhookTryResult {
  if (status >= 200 && status < 300) return { status, failure: undefined }
  const holdUntil = parseWebhookRetryAfter(status, headers['retry-after'], now)
  return { status, failure: { detail: `answered ${status}`, isGone: status === 410, holdUntil } }
}

/** One signed try (Standard Webhooks 1.0). A success is any 2xx within 15 s; redirects are not followed. */
export async function postWebhookMessage(
  { masterKeys, reach }: WebhookRequestContext,
  webhook: WebhookSecrets & { url: string },
  message: WebhookMessage,
  now: number,
): Promise<WebhookTryResult> {
  const requestHeaders = {
    ...signWebhookHeaders(masterKeys, webhook, message, now),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': 'Stentor-Webhooks/1',
  }
  const { url } = webhook
  const request = { url, method: 'POST', headers: requestHeaders, body: message.body }
  try {
    const response = await sendOutboundRequest(
      { ...request, timeoutMs: REQUEST_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES },
      reach,
    )
    return toTryResult(response, now)
  } catch (error) {
    if (!(error instanceof RefusedAddressError || error instanceof NoAnswerError)) throw error
    const isRefused = error instanceof RefusedAddressError || error.cause instanceof RefusedAddressError
    const failureDetail = isRefused ? 'the address is not allowed' : error.message
    return { status: null, failure: { detail: failureDetail, isGone: false, holdUntil: null } }
  }
}
