import { createHash, type Hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../database/connection/connect.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { sealIdempotentAnswer, unsealIdempotentAnswer } from '../../lib/kept-answers.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { HttpApp } from '../app-type.ts'
import { streamRequestBody } from '../streamed-body.ts'

export const IDEMPOTENCY_RETENTION_MS = 24 * 3600 * 1000
/** A first request without an answer after this long is taken as lost with its process. */
const ABANDONED_REQUEST_MS = 10 * 60 * 1000
/** The interval at which a request whose body is still arriving renews its key. */
const RENEWAL_INTERVAL_MS = 60 * 1000
/** The fingerprint of a body that has not arrived yet. */
const UNKNOWN_FINGERPRINT = Buffer.alloc(0)
const STORED_HEADERS = ['content-type', 'location', 'etag', 'link'] as const

interface StoredAnswer {
  fingerprint: Buffer
  status: number | null
  headers: Record<string, string>
  /** Sealed; null while the answer is being made. */
  body: Buffer | null
}

/** The dependencies for storing answers. */
interface AnswerStorage {
  db: Db
  clock: Clock
  masterKeys: MasterKeys
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const keyHeader = request.headers['idempotency-key']
  if (request.method !== 'POST' || request.account === 0 || keyHeader === undefined) return undefined
  const key = String(keyHeader)
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(400, 'invalid-request', 'Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/**
 * The hash of operation and body, which a repetition must share with the first request; a streamed body is added later. What one
 * person was answered is not given to another one.
 */
function createRequestHash({ url, body, person }: FastifyRequest): Hash {
  const requestText = `${url}\n${body === undefined ? '' : JSON.stringify(body)}`
  return createHash('sha256').update(person ? `${requestText}\n${person.id}` : requestText)
}

/** Takes the key for this request; the earlier request's row when there is one that still counts. */
async function claimKey(
  db: Db,
  account: number,
  key: string,
  details: { fingerprint: Buffer; now: number },
): Promise<StoredAnswer | undefined> {
  const { fingerprint, now } = details
  await db
    .deleteFrom('idempotency_keys')
    .where('account', '=', account)
    .where('key', '=', key)
    .where((e) =>
      e.or([
        e('created_at', '<', new Date(now - IDEMPOTENCY_RETENTION_MS)),
        e.and([e('status', 'is', null), e('created_at', '<', new Date(now - ABANDONED_REQUEST_MS))]),
      ]),
    )
    .execute()
  const claimedRow = await db
    .insertInto('idempotency_keys')
    .values({ account, key, fingerprint, created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimedRow) return undefined
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account', '=', account)
    .where('key', '=', key)
    .executeTakeFirst()
  // The holder released the key between the two statements: its request failed, so this one may run.
  return row ? { ...row, headers: (row.headers ?? {}) as Record<string, string> } : claimKey(db, account, key, details)
}

function createRunningProblem(): Problem {
  return new Problem(409, 'idempotency-key-running', 'The first request with this Idempotency-Key is still running.')
}

/**
 * Throws 422 when the request is another than the first, 409 when that is still running: a stream is compared, and read
 * for it, once the first has arrived completely.
 */
async function assertSameRequest(
  request: FastifyRequest,
  storedAnswer: StoredAnswer,
  fingerprint: Hash,
): Promise<void> {
  const isRunning = storedAnswer.status === null
  const { streams } = request.routeOptions.config
  if (isRunning && (streams || storedAnswer.fingerprint.equals(UNKNOWN_FINGERPRINT))) throw createRunningProblem()
  if (streams) for await (const chunk of streamRequestBody(request)) fingerprint.update(chunk)
  if (!storedAnswer.fingerprint.equals(fingerprint.digest())) {
    throw new Problem(
      422,
      'idempotency-key-reused',
      'This Idempotency-Key was already used with another request. Use a new one.',
    )
  }
  if (isRunning) throw createRunningProblem()
}

/** Restricts a change to the row of a key that is still held: after too long another request may hold it. */
function whereKeyHeld<
  Query extends { where: (column: 'account' | 'key' | 'created_at', operator: '=', value: never) => Query },
>(query: Query, account: number, { key, at }: HeldKey): Query {
  return query
    .where('account', '=', account as never)
    .where('key', '=', key as never)
    .where('created_at', '=', new Date(at) as never)
}

function pickStoredHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    STORED_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  )
}

/** A key held by this request, as long as its row has this time. */
interface HeldKey {
  key: string
  at: number
}

/** Takes the key for this request, and renews it while the body arrives. */
async function holdKey(
  { db, clock }: AnswerStorage,
  request: FastifyRequest,
  key: string,
  fingerprint: Hash,
): Promise<HeldKey | StoredAnswer> {
  const heldKey = { key, at: clock.now() }
  const { account } = request
  const { streams } = request.routeOptions.config
  const claimDetails = { fingerprint: streams ? UNKNOWN_FINGERPRINT : fingerprint.copy().digest(), now: heldKey.at }
  const storedAnswer = await claimKey(db, account, key, claimDetails)
  if (storedAnswer || !streams) return storedAnswer ?? heldKey
  request.streamed = {
    hash: fingerprint,
    isWhole: false,
    async goesOn() {
      const now = clock.now()
      if (now - heldKey.at < RENEWAL_INTERVAL_MS) return
      const created_at = new Date(now)
      // A database that is away does not end an upload.
      await whereKeyHeld(db.updateTable('idempotency_keys').set({ created_at }), account, heldKey)
        .execute()
        .then(
          () => (heldKey.at = now),
          () => undefined,
        )
    },
  }
  return heldKey
}

/**
 * `Idempotency-Key` on every POST: the first answer is kept 24 hours and given again. Answers of 5xx, streamed ones, and
 * those to a body that was not read to its end are not kept, so that the request can be tried again. Bodies are sealed.
 */
export function registerIdempotency(app: HttpApp, keeping: AnswerStorage): void {
  const { db, masterKeys } = keeping
  const heldKeys = new WeakMap<FastifyRequest, HeldKey>()
  app.decorateRequest('streamed', null)
  app.addHook('preHandler', async (request, reply) => {
    const key = readIdempotencyKey(request)
    if (key === undefined) return
    const fingerprint = createRequestHash(request)
    const storedAnswer = await holdKey(keeping, request, key, fingerprint)
    if ('at' in storedAnswer) return void heldKeys.set(request, storedAnswer)
    await assertSameRequest(request, storedAnswer, fingerprint)
    return reply
      .code(storedAnswer.status ?? 200)
      .headers(storedAnswer.headers)
      .header('idempotent-replayed', 'true')
      .send(
        storedAnswer.body === null
          ? ''
          : unsealIdempotentAnswer(masterKeys, { account: request.account, key }, storedAnswer.body),
      )
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const heldKey = heldKeys.get(request)
    if (heldKey === undefined) return payload
    const { account, streamed } = request
    const isText = payload === undefined || payload === null || typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isText || reply.statusCode >= 500 || streamed?.isWhole === false) {
      await whereKeyHeld(db.deleteFrom('idempotency_keys'), account, heldKey).execute()
      return payload
    }
    const body = sealIdempotentAnswer(masterKeys, { account, key: heldKey.key }, payload ?? '')
    const answer = { status: reply.statusCode, headers: JSON.stringify(pickStoredHeaders(reply)), body }
    const fingerprint = streamed && { fingerprint: streamed.hash.digest() }
    await whereKeyHeld(
      db.updateTable('idempotency_keys').set({ ...answer, ...fingerprint }),
      account,
      heldKey,
    ).execute()
    return payload
  })
}

/** Notes that something was used that may be used once; false: it was before. It is remembered as long as keys are. */
export async function claimSingleUse(
  db: Db,
  account: number,
  { key, now }: { key: string; now: number },
): Promise<boolean> {
  const insertedRow = await db
    .insertInto('idempotency_keys')
    .values({ account, key, fingerprint: UNKNOWN_FINGERPRINT, created_at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return insertedRow !== undefined
}
