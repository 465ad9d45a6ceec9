import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../database/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { openAnswer, sealAnswer } from '../lib/kept-answers.ts'
import { Problem } from '../lib/problem.ts'
import type { MasterKeys } from '../lib/seal.ts'
import type { App } from './app-type.ts'

const KEPT_MS = 24 * 3600 * 1000
/** A first answer that is not there after this long died with its process. */
const RUNNING_MS = 10 * 60 * 1000
const KEPT_HEADERS = ['content-type', 'location', 'etag', 'link'] as const

interface Kept {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  /** Sealed; null while the answer is being made. */
  body: Buffer | null
}

/** What keeps answers. */
interface Keeping {
  db: Db
  clock: Clock
  masterKeys: MasterKeys
}

function keyOf(request: FastifyRequest): string | undefined {
  const given = request.headers['idempotency-key']
  if (request.method !== 'POST' || request.account === 0 || given === undefined) return undefined
  const key = String(given)
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(400, 'invalid-request', 'Idempotency-Key is 1 to 255 visible ASCII characters.')
}

/** What a repetition must have in common with the first request: operation and body, or the body's length where it streams. */
function fingerprint(request: FastifyRequest): Buffer {
  const body = request.body === undefined ? (request.headers['content-length'] ?? '') : JSON.stringify(request.body)
  return createHash('sha256').update(`${request.url}\n${body}`).digest()
}

/** Takes the key for this request; the earlier request's row when there is one that still counts. */
async function take(
  db: Db,
  account: number,
  key: string,
  details: { fingerprint: Buffer; now: number },
): Promise<Kept | undefined> {
  const { fingerprint, now } = details
  await db
    .deleteFrom('idempotency_keys')
    .where('account', '=', account)
    .where('key', '=', key)
    .where((e) =>
      e.or([
        e('created_at', '<', new Date(now - KEPT_MS)),
        e.and([e('status', 'is', null), e('created_at', '<', new Date(now - RUNNING_MS))]),
      ]),
    )
    .execute()
  const taken = await db
    .insertInto('idempotency_keys')
    .values({ account, key, fingerprint, created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account', '=', account)
    .where('key', '=', key)
    .executeTakeFirst()
  // The holder gave the key back between the two statements: its request failed, so this one may run.
  return row ? { ...row, headers: (row.headers ?? {}) as Record<string, string> } : take(db, account, key, details)
}

/** Gives a kept answer again. Throws 422 when the request is another than the first, 409 when that is still running. */
function replay(
  reply: FastifyReply,
  kept: Kept,
  { fingerprint, open }: { fingerprint: Buffer; open(sealed: Buffer): Buffer },
): FastifyReply {
  if (!kept.fingerprint.equals(fingerprint)) {
    throw new Problem(
      422,
      'idempotency-key-reused',
      'This Idempotency-Key came with another request before; use a new one.',
    )
  }
  if (kept.status === null)
    throw new Problem(409, 'idempotency-key-running', 'The first request with this Idempotency-Key is still running.')
  return reply
    .code(kept.status)
    .headers(kept.headers)
    .header('idempotent-replayed', 'true')
    .send(kept.body === null ? '' : open(kept.body))
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  )
}

/**
 * `Idempotency-Key` on every POST: the first answer is kept 24 hours and given again. Answers of 5xx and streamed ones
 * are not kept, so that the request can be tried again. Bodies are sealed.
 */
export function registerIdempotency(app: App, { db, clock, masterKeys }: Keeping): void {
  const holders = new WeakMap<FastifyRequest, string>()
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request)
    if (key === undefined) return
    const details = { fingerprint: fingerprint(request), now: clock.now() }
    const kept = await take(db, request.account, key, details)
    if (kept)
      return replay(reply, kept, {
        ...details,
        open: (sealed) => openAnswer(masterKeys, { account: request.account, key }, sealed),
      })
    holders.set(request, key)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const key = holders.get(request)
    if (key === undefined) return payload
    const row = <T extends { where: (column: 'account' | 'key', operator: '=', value: never) => T }>(query: T): T =>
      query.where('account', '=', request.account as never).where('key', '=', key as never)
    const isText = payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isText || reply.statusCode >= 500) {
      await row(db.deleteFrom('idempotency_keys')).execute()
      return payload
    }
    const body = sealAnswer(masterKeys, { account: request.account, key }, payload ?? '')
    await row(
      db
        .updateTable('idempotency_keys')
        .set({ status: reply.statusCode, headers: JSON.stringify(keptHeaders(reply)), body }),
    ).execute()
    return payload
  })
}

/** Forgets keys past their 24 hours. */
export async function forgetIdempotencyKeys(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now - KEPT_MS))
    .execute()
}
