import type { ServiceContext } from '../../../context.ts'
import { NoAnswerError, RefusedAddressError } from '../../../lib/net/guarded-client.ts'
import type { ScriptFetchAnswer, ScriptFetcher } from '../../../scripting/fetch/fetcher.ts'
import { createScriptFetchPolicy } from '../../../scripting/fetch/policy.ts'
import { MalformedFetchRequest } from '../../../scripting/fetch/request.ts'
import { UnknownSecretError } from '../../../scripting/fetch/secrets.ts'
import { type HttpEffect, type HttpEffectAnswer, StepFailure } from '../nodes/node-contract.ts'
import type { EffectHandlers, NodeEffectRequest } from '../run-stepper/effect-handlers.ts'
import { formatVisitKey } from './visit-key.ts'

const MAX_BODY_BYTES = 256 * 1024
const TRANSIENT_STATUSES = new Set([408, 425, 429])
const JSON_CONTENT_TYPE = /^\s*[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export interface HttpRequestContext extends Pick<ServiceContext, 'masterKeys' | 'clock'> {
  fetcher: ScriptFetcher
}

/** Milliseconds until a server wants to be asked again; undefined: it does not say. */
export function parseRetryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const delayMs = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs)
}

function parseResponseBody({ headers, body }: ScriptFetchAnswer): unknown {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new StepFailure('result', `The response has more than ${MAX_BODY_BYTES} bytes.`)
  if (body === '') return null
  if (!JSON_CONTENT_TYPE.test(headers['content-type'] ?? '')) return body
  try {
    return JSON.parse(body)
  } catch {
    throw new StepFailure('result', 'The response is declared as JSON but is not valid JSON.')
  }
}

/** Throws StepFailure for a status that is no success. */
export function requireResponseSuccess(
  { status, headers }: Pick<HttpEffectAnswer, 'status' | 'headers'>,
  { success, repeat }: HttpEffect,
  now: number,
): void {
  if (success === null ? status >= 200 && status < 300 : success.includes(status)) return
  const isTransient = repeat && (TRANSIENT_STATUSES.has(status) || status >= 500)
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], now)
  const details = { isTransient, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  throw new StepFailure('status', `The server answered ${status}.`, details)
}

/** The answer as the run keeps it. Throws StepFailure for a status that is no success. */
function toEffectAnswer(answer: ScriptFetchAnswer, effect: HttpEffect, now: number): HttpEffectAnswer {
  const { status, headers } = answer
  requireResponseSuccess(answer, effect, now)
  return { status, headers, body: parseResponseBody(answer) }
}

function toStepFailure(error: unknown, { repeat }: HttpEffect): StepFailure {
  if (error instanceof StepFailure) return error
  if (error instanceof RefusedAddressError)
    return new StepFailure('capability', `The address of the request ${error.message}.`)
  if (error instanceof UnknownSecretError) return new StepFailure('secret', error.message)
  if (error instanceof MalformedFetchRequest) return new StepFailure('request', `The request: ${error.message}.`)
  if (!(error instanceof NoAnswerError)) throw error
  if (repeat) return new StepFailure('network', `The request: ${error.message}.`, { isTransient: true })
  return new StepFailure('in doubt', `The outcome of the request is unknown: ${error.message}.`)
}

/** Sends the requests of nodes, each under the key of its visit. */
export function createRequestHandler({
  fetcher,
  masterKeys,
  clock,
}: HttpRequestContext): EffectHandlers['calls']['request'] {
  return async (_, { draft, asked: effect, visit }: NodeEffectRequest<'request'>) => {
    const { method, url, headers, body, timeoutMs } = effect
    const policy = { ...createScriptFetchPolicy(masterKeys, draft.definition), idempotencyKey: formatVisitKey(visit) }
    const options = { method, headers, body, timeoutMs }
    try {
      const answer = await fetcher.fetch(url, options, policy, new AbortController().signal)
      return toEffectAnswer(answer, effect, clock.now())
    } catch (error) {
      return toStepFailure(error, effect)
    }
  }
}
