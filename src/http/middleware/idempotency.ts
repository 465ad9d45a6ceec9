import { createHash, type Hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../database/connection/connect.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { sealIdempotentAnswer, unsealIdempotentAnswer } from '../../lib/kept-answers.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { HttpApp } from '../app-type.ts'
import { streamRequestBody } from '../streamed-body.ts'

const KEPT_MS = 24 * 3600 * 1000
/** A first request without an answer after this long is taken as lost with its process. */
const RUNNING_MS = 10 * 60 * 1000
/** How often a request whose body is still arriving renews its key. */
const RENEW_MS = 60 * 1000
/** The fingerprint of a body that has not arrived yet. */
const UNKNOWN = Buffer.alloc(0)
const KEPT_HEADERS = ['content-type', 'location', 'etag', 'link'] as const

interface Kept {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  /** Sealed; null while the answer is being made. */
  body: Buffer | null
}

/** What storing answers needs. */
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

/**
 * The hash of operation and body, which a repetition must share with the first request; a streamed body is added later. What one
 * person was answered is not given to another one.
 */
function fingerprintOf({ url, body, person }: FastifyRequest): Hash {
  const asked = `${url}\n${body === undefined ? '' : JSON.stringify(body)}`
  return createHash('sha256').update(person ? `${asked}\n${person.id}` : asked)
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
  // The holder released the key between the two statements: its request failed, so this one may run.
  return row ? { ...row, headers: (row.headers ?? {}) as Record<string, string> } : take(db, account, key, details)
}

function stillRunning(): Problem {
  return new Problem(409, 'idempotency-key-running', 'The first request with this Idempotency-Key is still running.')
}

/**
 * Throws 422 when the request is another than the first, 409 when that is still running: a stream is compared, and read
 * for it, once the first has arrived completely.
 */
async function requireSame(request: FastifyRequest, kept: Kept, fingerprint: Hash): Promise<void> {
  const isRunning = kept.status === null
  const { streams } = request.routeOptions.config
  if (isRunning && (streams || kept.fingerprint.equals(UNKNOWN))) throw stillRunning()
  if (streams) for await (const chunk of streamRequestBody(request)) fingerprint.update(chunk)
  if (!kept.fingerprint.equals(fingerprint.digest())) {
    throw new Problem(
      422,
      'idempotency-key-reused',
      'This Idempotency-Key came with another request before; use a new one.',
    )
  }
  if (isRunning) throw stillRunning()
}

/** Restricts a change to the row of a key that is still held: after too long another request may hold it. */
function rowOf<
  Query extends { where: (column: 'account' | 'key' | 'created_at', operator: '=', value: never) => Query },
>(query: Query, account: number, { key, at }: Held): Query {
  return query
    .where('account', '=', account as never)
    .where('key', '=', key as never)
    .where('created_at', '=', new Date(at) as never)
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  )
}

/** A key held by this request, as long as its row has this time. */
interface Held {
  key: string
  at: number
}

/** Takes the key for this request, and renews it while the body arrives. */
async function hold(
  { db, clock }: Keeping,
  request: FastifyRequest,
  key: string,
  fingerprint: Hash,
): Promise<Held | Kept> {
  const held = { key, at: clock.now() }
  const { account } = request
  const { streams } = request.routeOptions.config
  const details = { fingerprint: streams ? UNKNOWN : fingerprint.copy().digest(), now: held.at }
  const kept = await take(db, account, key, details)
  if (kept || !streams) return kept ?? held
  request.streamed = {
    hash: fingerprint,
    isWhole: false,
    async goesOn() {
      const now = clock.now()
      if (now - held.at < RENEW_MS) return
      const created_at = new Date(now)
      // A database that is away does not end an upload.
      await rowOf(db.updateTable('idempotency_keys').set({ created_at }), account, held)
        .execute()
        .then(
          () => (held.at = now),
          () => undefined,
        )
    },
  }
  return held
}

/**
 * `Idempotency-Key` on every POST: the first answer is kept 24 hours and given again. Answers of 5xx, streamed ones, and
 * those to a body that was not read to its end are not kept, so that the request can be tried again. Bodies are sealed.
 */
export function registerIdempotency(app: HttpApp, keeping: Keeping): void {
  const { db, masterKeys } = keeping
  const holders = new WeakMap<FastifyRequest, Held>()
  app.decorateRequest('streamed', null)
  app.addHook('preHandler', async (request, reply) => {
    const key = keyOf(request)
    if (key === undefined) return
    const fingerprint = fingerprintOf(request)
    const kept = await hold(keeping, request, key, fingerprint)
    if ('at' in kept) return void holders.set(request, kept)
    await requireSame(request, kept, fingerprint)
    return reply
      .code(kept.status ?? 200)
      .headers(kept.headers)
      .header('idempotent-replayed', 'true')
      .send(kept.body === null ? '' : unsealIdempotentAnswer(masterKeys, { account: request.account, key }, kept.body))
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const held = holders.get(request)
    if (held === undefined) return payload
    const { account, streamed } = request
    const isText = payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isText || reply.statusCode >= 500 || streamed?.isWhole === false) {
      await rowOf(db.deleteFrom('idempotency_keys'), account, held).execute()
      return payload
    }
    const body = sealIdempotentAnswer(masterKeys, { account, key: held.key }, payload ?? '')
    const answer = { status: reply.statusCode, headers: JSON.stringify(keptHeaders(reply)), body }
    const fingerprint = streamed && { fingerprint: streamed.hash.digest() }
    await rowOf(db.updateTable('idempotency_keys').set({ ...answer, ...fingerprint }), account, held).execute()
    return payload
  })
}

/** Notes that something was used that may be used once; false: it was before. It is remembered as long as keys are. */
export async function claimSingleUse(
  db: Db,
  account: number,
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  const noted = await db
    .insertInto('idempotency_keys')
    .values({ account, key, fingerprint: UNKNOWN, created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return noted !== undefined
}

/** Deletes keys older than 24 hours. */
export async function purgeIdempotencyKeys(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now - KEPT_MS))
    .execute()
}
