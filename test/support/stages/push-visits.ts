import assert from 'node:assert/strict'
import type { PushReportKind } from '../../../src/lib/crypto/push-tokens.ts'
import type { PushPeer } from '../../fakes/push/push-peer.ts'
import type { PushStage } from './push-stage.ts'

/** A push as its device got it. */
export interface ReceivedPush {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any push.
  meta: any
  tracking: Record<Exclude<PushReportKind, `optout.${string}`> | 'radical', string> & {
    optout: { global: string; channel: string }
  }
  /** What its service was asked beside that. */
  headers: PushPeer['requests'][number]['headers']
  android?: { priority: string; ttl: string }
}

/** What a service of pushes was given for devices, in order. */
export function receivedBy({ requests }: PushPeer): ReceivedPush[] {
  return requests.flatMap(({ headers, body, path }) => {
    if (path === '/token') return []
    const { message, meta, tracking } = JSON.parse(body.toString())
    if (message === undefined) return [{ meta, tracking, headers }]
    const { data, android } = message
    return [{ meta: JSON.parse(data.meta), tracking: JSON.parse(data.tracking), headers, android }]
  })
}

/** Reports what an app does, as that app would. */
export async function report(
  { app }: Pick<PushStage, 'app'>,
  { tracking }: ReceivedPush,
  sign: PushReportKind,
): Promise<void> {
  const { radical, optout, ...tokens } = tracking
  const all = { ...tokens, 'optout.global': optout.global, 'optout.channel': optout.channel }
  const url = new URL(radical + all[sign]).pathname
  const { statusCode } = await app.inject({ method: 'GET', url, headers: { 'user-agent': 'app : 4.2' } })
  assert.equal(statusCode, 204)
}
