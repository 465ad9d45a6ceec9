import type { Context } from '../../../context.ts'
import { NoAnswer, RefusedAddress } from '../../../lib/net/guarded-client.ts'
import type { FetchAnswer, Fetcher } from '../../../scripting/fetch/fetcher.ts'
import { policyOf } from '../../../scripting/fetch/policy.ts'
import { MalformedRequest } from '../../../scripting/fetch/request.ts'
import { UnknownSecret } from '../../../scripting/fetch/secrets.ts'
import type { NodeRequest, Performers } from '../stepping/effect-handlers.ts'
import { type RequestAnswer, type RequestAsk, StepFailure } from '../stepping/step.ts'
import { visitKey } from './visit-key.ts'

const MAX_BODY_BYTES = 256 * 1024
const TRANSIENT = new Set([408, 425, 429])
const JSON_TYPE = /^\s*[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export interface RequestContext extends Pick<Context, 'masterKeys' | 'clock'> {
  fetcher: Fetcher
}

/** Milliseconds until a server wants to be asked again; undefined: it does not say. */
export function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function bodyOf({ headers, body }: FetchAnswer): unknown {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new StepFailure('result', `The answer has more than ${MAX_BODY_BYTES} bytes.`)
  if (body === '') return null
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return body
  try {
    return JSON.parse(body)
  } catch {
    throw new StepFailure('result', 'The answer says that it is JSON, and is none.')
  }
}

/** Throws StepFailure for a status that is no success. */
export function requireSuccess(
  { status, headers }: Pick<RequestAnswer, 'status' | 'headers'>,
  { success, repeat }: RequestAsk,
  now: number,
): void {
  if (success === null ? status >= 200 && status < 300 : success.includes(status)) return
  const isTransient = repeat && (TRANSIENT.has(status) || status >= 500)
  const retryAfterMs = retryAfterOf(headers['retry-after'], now)
  const details = { isTransient, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  throw new StepFailure('status', `The server answered ${status}.`, details)
}

/** The answer as the run keeps it. Throws StepFailure for a status that is no success. */
function answerOf(answer: FetchAnswer, asked: RequestAsk, now: number): RequestAnswer {
  const { status, headers } = answer
  requireSuccess(answer, asked, now)
  return { status, headers, body: bodyOf(answer) }
}

function failureOf(error: unknown, { repeat }: RequestAsk): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof RefusedAddress) return new StepFailure('capability', `The request ${error.message}.`)
  if (error instanceof UnknownSecret) return new StepFailure('secret', error.message)
  if (error instanceof MalformedRequest) return new StepFailure('request', `The request: ${error.message}.`)
  if (!(error instanceof NoAnswer)) throw error
  if (repeat) return new StepFailure('network', `The request: ${error.message}.`, { isTransient: true })
  return new StepFailure('in doubt', `The end of the request is unknown: ${error.message}.`)
}

/** Sends the requests of nodes, each under the key of its visit. */
export function createRequests({ fetcher, masterKeys, clock }: RequestContext): Performers['calls']['request'] {
  return async (_, { draft, asked, visit }: NodeRequest<'request'>) => {
    const { method, url, headers, body, timeoutMs } = asked
    const policy = { ...policyOf(masterKeys, draft.definition), idempotencyKey: visitKey(visit) }
    const options = { method, headers, body, timeoutMs }
    try {
      const answer = await fetcher.fetch(url, options, policy, new AbortController().signal)
      return answerOf(answer, asked, clock.now())
    } catch (error) {
      return failureOf(error, asked)
    }
  }
}
