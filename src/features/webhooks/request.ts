import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { type Answer, callOutside, NoAnswer, type Reach, RefusedAddress } from '../../lib/net/guarded-client.ts'
import type { Failure } from './outcomes.ts'
import { holdOf } from './schedule.ts'
import { type Secrets, signedHeaders } from './signing.ts'

/** Dependencies of requests to receivers. */
export interface RequestContext {
  masterKeys: MasterKeys
  reach: Reach
}

export interface WebhookMessage {
  /** The `webhook-id`. */
  id: string
  body: string
}

/** The result of a request: the status of the answer, if there was one, and the failure unless it succeeded. */
export interface TryResult {
  status: number | null
  failure: Failure | undefined
}

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 1024 * 1024

function resultOf({ status, headers }: Answer, now: number): TryResult {
  if (status >= 200 && status < 300) return { status, failure: undefined }
  const holdUntil = holdOf(status, headers['retry-after'], now)
  return { status, failure: { detail: `answered ${status}`, isGone: status === 410, holdUntil } }
}

/** One signed try (Standard Webhooks 1.0). A success is any 2xx within 15 s; redirects are not followed. */
export async function post(
  { masterKeys, reach }: RequestContext,
  webhook: Secrets & { url: string },
  message: WebhookMessage,
  now: number,
): Promise<TryResult> {
  const headers = {
    ...signedHeaders(masterKeys, webhook, message, now),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': 'Stentor-Webhooks/1',
  }
  const { url } = webhook
  const request = { url, method: 'POST', headers, body: message.body }
  try {
    const answer = await callOutside({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES }, reach)
    return resultOf(answer, now)
  } catch (error) {
    if (!(error instanceof RefusedAddress || error instanceof NoAnswer)) throw error
    const isRefused = error instanceof RefusedAddress || error.cause instanceof RefusedAddress
    const detail = isRefused ? 'the address may not be called' : error.message
    return { status: null, failure: { detail, isGone: false, holdUntil: null } }
  }
}
