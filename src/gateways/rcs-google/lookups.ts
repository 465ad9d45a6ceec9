import { randomUUID } from 'node:crypto'
import { parseRetryAfter } from '../../lib/time/backoff.ts'
import type { BatchCapability, OutgoingRcs, PhoneBatch, RcsPhoneCapability, RcsRevocation } from '../rcs.ts'
import { callGoogleRcs, type GoogleRcsApi, type GoogleRcsReply } from './api.ts'
import { MAX_RCS_LOOKUP_PHONES, MIN_RCS_LOOKUP_PHONES } from './regions.ts'

/** Delay before the next attempt if the remote side does not specify one. */
const DEFAULT_RETRY_MS = 1000

type JsonMembers = Record<string, unknown>

function listTexts(body: unknown, name: string): string[] {
  const candidateList = typeof body === 'object' && body !== null ? (body as JsonMembers)[name] : undefined
  return Array.isArray(candidateList) ? candidateList.filter((item) => typeof item === 'string') : []
}

const formatFailureReason = (reply: GoogleRcsReply): string =>
  reply.kind === 'answered' ? `${reply.status} ${reply.word}` : reply.reason

/** The path of a phone. Throws RangeError when it is not E.164: nothing else may come into an address. */
export function buildRcsPhonePath(phone: string): string {
  if (!/^\+[1-9]\d{4,14}$/.test(phone)) throw new RangeError('a phone must be E.164')
  return `/v1/phones/${phone}`
}

/** Asks what a phone can show of an agent's messages. */
export async function requestRcsCapabilities(
  api: GoogleRcsApi,
  agent: string,
  phone: string,
): Promise<RcsPhoneCapability> {
  const query = { requestId: randomUUID(), agentId: agent }
  const reply = await callGoogleRcs(api, { method: 'GET', path: `${buildRcsPhonePath(phone)}/capabilities`, query })
  if (reply.kind === 'answered' && reply.status === 200)
    return { result: 'reachable', features: listTexts(reply.body, 'features') }
  if (reply.kind === 'answered' && reply.status === 404) return { result: 'unreachable' }
  return { result: 'unknown', reason: formatFailureReason(reply) }
}

/** Asks which phones of one region an agent can reach. Throws RangeError when they are too few or too many. */
export async function requestReachablePhones(
  api: GoogleRcsApi,
  agent: string,
  { region, phones }: PhoneBatch,
  now: number,
): Promise<BatchCapability> {
  if (phones.length < MIN_RCS_LOOKUP_PHONES || phones.length > MAX_RCS_LOOKUP_PHONES)
    throw new RangeError(`a batch has ${MIN_RCS_LOOKUP_PHONES} to ${MAX_RCS_LOOKUP_PHONES} phones`)
  const body = JSON.stringify({ users: phones, agentId: agent })
  const reply = await callGoogleRcs(api, { method: 'POST', path: '/v1/users:batchGet', body, region })
  if (reply.kind === 'answered' && reply.status === 200)
    return { result: 'known', reachable: new Set(listTexts(reply.body, 'reachableUsers')) }
  const retryAfterMs = reply.kind === 'refused' ? undefined : parseRetryAfter(reply.retryAfter, now)
  return { result: 'unknown', reason: formatFailureReason(reply), ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Takes back a message. */
export async function revokeRcsMessage(
  api: GoogleRcsApi,
  agent: string,
  { to, messageId }: Pick<OutgoingRcs, 'to' | 'messageId'>,
  now: number,
): Promise<RcsRevocation> {
  const path = `${buildRcsPhonePath(to)}/agentMessages/${encodeURIComponent(messageId)}`
  const reply = await callGoogleRcs(api, { method: 'DELETE', path, query: { agentId: agent } })
  if (reply.kind === 'answered' && reply.status >= 200 && reply.status < 300) return { result: 'revoked' }
  if (reply.kind === 'answered' && reply.status === 404) return { result: 'absent' }
  const requestedDelayMs = reply.kind === 'refused' ? undefined : parseRetryAfter(reply.retryAfter, now)
  return { result: 'unknown', reason: formatFailureReason(reply), retryAfterMs: requestedDelayMs ?? DEFAULT_RETRY_MS }
}
