import { randomUUID } from 'node:crypto'
import { readRetryAfter } from '../../lib/time/backoff.ts'
import type { BatchCapability, Capability, OutgoingRcs, PhoneBatch, Revocation } from '../rcs.ts'
import { type ApiReply, callApi, type RcsApi } from './api.ts'
import { MAX_BATCH, MIN_BATCH } from './regions.ts'

/** How soon to come again when the far side does not say it. */
const RETRY_MS = 1000

type Words = Record<string, unknown>

function textsOf(body: unknown, name: string): string[] {
  const list = typeof body === 'object' && body !== null ? (body as Words)[name] : undefined
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

const reasonFor = (reply: ApiReply): string =>
  reply.kind === 'answered' ? `${reply.status} ${reply.word}` : reply.reason

/** The path of a phone. Throws RangeError when it is not E.164: nothing else may come into an address. */
export function pathOf(phone: string): string {
  if (!/^\+[1-9]\d{4,14}$/.test(phone)) throw new RangeError('a phone must be E.164')
  return `/v1/phones/${phone}`
}

/** Asks what a phone can show of an agent's messages. */
export async function askCapabilities(api: RcsApi, agent: string, phone: string): Promise<Capability> {
  const query = { requestId: randomUUID(), agentId: agent }
  const reply = await callApi(api, { method: 'GET', path: `${pathOf(phone)}/capabilities`, query })
  if (reply.kind === 'answered' && reply.status === 200)
    return { result: 'reachable', features: textsOf(reply.body, 'features') }
  if (reply.kind === 'answered' && reply.status === 404) return { result: 'unreachable' }
  return { result: 'unknown', reason: reasonFor(reply) }
}

/** Asks which phones of one region an agent can reach. Throws RangeError when they are too few or too many. */
export async function askUsers(
  api: RcsApi,
  agent: string,
  { region, phones }: PhoneBatch,
  now: number,
): Promise<BatchCapability> {
  if (phones.length < MIN_BATCH || phones.length > MAX_BATCH)
    throw new RangeError(`a batch has ${MIN_BATCH} to ${MAX_BATCH} phones`)
  const body = JSON.stringify({ users: phones, agentId: agent })
  const reply = await callApi(api, { method: 'POST', path: '/v1/users:batchGet', body, region })
  if (reply.kind === 'answered' && reply.status === 200)
    return { result: 'known', reachable: new Set(textsOf(reply.body, 'reachableUsers')) }
  const retryAfterMs = reply.kind === 'refused' ? undefined : readRetryAfter(reply.retryAfter, now)
  return { result: 'unknown', reason: reasonFor(reply), ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Takes back a message. */
export async function revokeMessage(
  api: RcsApi,
  agent: string,
  { to, messageId }: Pick<OutgoingRcs, 'to' | 'messageId'>,
  now: number,
): Promise<Revocation> {
  const path = `${pathOf(to)}/agentMessages/${encodeURIComponent(messageId)}`
  const reply = await callApi(api, { method: 'DELETE', path, query: { agentId: agent } })
  if (reply.kind === 'answered' && reply.status >= 200 && reply.status < 300) return { result: 'revoked' }
  if (reply.kind === 'answered' && reply.status === 404) return { result: 'absent' }
  const asked = reply.kind === 'refused' ? undefined : readRetryAfter(reply.retryAfter, now)
  return { result: 'unknown', reason: reasonFor(reply), retryAfterMs: asked ?? RETRY_MS }
}
