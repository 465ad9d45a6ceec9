import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { createHookedDb, type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { HttpApp } from '../app-type.ts'
import { requirePrecondition } from '../middleware/conditional.ts'
import type { AuditExemption, AuditedAct, AuditObjectRule, AuditRecorder } from './audit-types.ts'

export type { AuditObjectRule } from './audit-types.ts'

/** Why the operations are not told that deal with one contact after the other. */
export const AUDIT_EXEMPTIONS = {
  contact: { untold: 'writes of single contacts are events' },
  execution: { untold: 'executions are events' },
  signIn: { untold: 'who signs in shows as they do it: the functions of people tell it' },
  session: { untold: 'it ends or confirms a session of one’s own, and changes nothing else' },
  recipient: { untold: 'what recipients do is events' },
} as const satisfies Record<string, AuditExemption>

/** How an act is looked at, within its transaction. */
export interface AuditSnapshotOptions {
  /** The object before it, locked so that it stays so. A problem is left to the act itself. */
  before?: (tx: Db) => Promise<object | null>
  /** The object after it; `result` is what the transaction gave. */
  after?: (tx: Db, result: unknown) => Promise<object | null> | object | null
  /** What was asked, where no object shows it: without addresses. */
  said?: object
  /** Where the object before it is what If-Match names: with what it is answered as. The act is refused as 412 when it has changed. */
  shown?: { reply: FastifyReply; schema: TSchema } | undefined
  /** Where the request does not say it. */
  account?: AccountId
  id?: string
}

/** Of a copy, as it is shown: what the transaction gives, unless `show` makes it of that. */
export function createCopySnapshot(
  request: FastifyRequest,
  show = (made: unknown): object => made as object,
): AuditSnapshotOptions {
  const { id } = request.params as { id: string }
  return { after: (_, made) => show(made), said: { source: id } }
}

/** An object that is read alike before and after, once `lock` holds it. */
export function createAuditSnapshot(
  read: (tx: Db) => Promise<object>,
  lock?: (tx: Db) => Promise<unknown>,
): AuditSnapshotOptions {
  return {
    async before(tx) {
      await lock?.(tx)
      return read(tx)
    },
    after: read,
  }
}

/** Of these a row remains: they were understood, and declined. */
const REFUSALS = new Set([403, 404, 409, 410, 412])

/** `PUT /segments/{id}` */
export function formatAuditOperation({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${(routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}')}`
}

function text(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Id and name of what is shown; those of import formats stand in an object of their own. */
export function readAuditedIdentity(shown: unknown): { id: string | null; name: string | null } {
  const { id, name, identifier } = isJsonObject(shown) ? shown : {}
  const whole = isJsonObject(identifier) ? identifier : {}
  return { id: text(id ?? whole['guid']), name: text(name ?? whole['name']) }
}

/** What a request does, as far as it says so itself. */
function actOf(request: FastifyRequest, { object, id = 'id' }: AuditObjectRule): AuditedAct {
  const { account, actor, ip, params, body } = request
  const place = id === null ? null : text((params as Record<string, unknown> | undefined)?.[id])
  return {
    account: account === 0 ? null : account,
    actor,
    origin: { address: ip, request: request.id },
    operation: formatAuditOperation(request),
    object: { type: object, id: place, name: null },
    ...{ before: null, after: null, given: body, said: null },
  }
}

function auditedOf(request: FastifyRequest): AuditObjectRule {
  const { audit } = request.routeOptions.config
  if (!audit || 'untold' in audit) throw new Error(`${formatAuditOperation(request)} does not say what is told of it`)
  return audit
}

async function lookBefore(tx: Db, { before }: AuditSnapshotOptions): Promise<object | null> {
  try {
    return (await before?.(tx)) ?? null
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/**
 * A handle for the work of a request: the first transaction opened on it also writes the row of the audit, so that both are
 * there or neither.
 */
export function createAuditedDb(request: FastifyRequest, db: Db, look: AuditSnapshotOptions = {}): Db {
  const act = actOf(request, auditedOf(request))
  const { record } = request.server.audit
  return createHookedDb(db, {
    async within(tx, work) {
      if (request.isTold) return work(tx)
      const before = await lookBefore(tx, look)
      const { shown } = look
      if (shown && before) await requirePrecondition(request, shown.reply, shown.schema, async () => before)
      const result = await work(tx)
      const after = (await look.after?.(tx, result)) ?? null
      const { id, name } = readAuditedIdentity(after ?? before)
      const isMade = before === null && id !== null
      const object = { type: act.object.type, id: look.id ?? (isMade ? id : (act.object.id ?? id)), name }
      const account = look.account ?? act.account
      await record(tx, { ...act, account, object, before, after, said: look.said ?? null })
      return result
    },
    committed() {
      request.isTold = true
    },
  })
}

/** Tells an act that writes nothing else, such as a download, before it is answered. */
export function recordStandaloneAudit(request: FastifyRequest, db: Db, look: AuditSnapshotOptions = {}): Promise<void> {
  return inTransaction(createAuditedDb(request, db, look), async () => undefined)
}

/** Nothing is told of this request, whatever becomes of it: what its route tells is another thing. */
export function skipRequestAudit(request: FastifyRequest): void {
  request.isTold = true
}

/** Tells what was refused to somebody who is known. That it could not be told does not change the answer. */
async function tellRefusal(request: FastifyRequest, _reply: FastifyReply, error: unknown): Promise<void> {
  if (!(error instanceof Problem) || !REFUSALS.has(error.status) || request.isTold || !request.actor) return
  const { db, record } = request.server.audit
  try {
    await inTransaction(db, (tx) => record(tx, { ...actOf(request, auditedOf(request)), problem: error.kind }))
  } catch (cause) {
    request.log.error({ err: cause }, 'a refused act could not be recorded')
  }
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/

/** Has refused acts recorded, and notes which routes that write do not say what is told of them. */
export function registerAudit(app: HttpApp, audit: Pick<AuditRecorder, 'db' | 'record'>): void {
  const undeclared: string[] = []
  app.decorate('audit', { ...audit, undeclared })
  app.decorateRequest('isTold', false)
  app.addHook('onRoute', (route) => {
    const { method, url, config, onError } = route
    const audited = config?.audit
    if (audited && 'object' in audited) route.onError = [...[onError ?? []].flat(), tellRefusal]
    const writes = config?.right === 'read' ? [] : [method].flat().filter((one) => WRITES.test(one))
    if (!audited) undeclared.push(...writes.map((one) => `${one} ${url}`))
  })
}
