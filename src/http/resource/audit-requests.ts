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

/** Reasons why operations that process one contact after the other are not audited. */
export const AUDIT_EXEMPTIONS = {
  contact: { untold: 'writes of single contacts are events' },
  execution: { untold: 'executions are events' },
  signIn: { untold: 'who signs in shows as they do it: the functions of people tell it' },
  session: { untold: 'it ends or confirms a session of one’s own, and changes nothing else' },
  recipient: { untold: 'what recipients do is events' },
} as const satisfies Record<string, AuditExemption>

/** The way an act is read for the audit, within its transaction. */
export interface AuditSnapshotOptions {
  /** The object before it, locked so that it stays so. A problem is left to the act itself. */
  before?: (tx: Db) => Promise<object | null>
  /** The object after it; `result` is what the transaction gave. */
  after?: (tx: Db, result: unknown) => Promise<object | null> | object | null
  /** The request, if no object shows it; without addresses. */
  said?: object
  /** The schema of the object before the act, if that object is the one If-Match names. The act is refused with 412 if the object has changed. */
  conditionSchema?: TSchema | undefined
  /** The account, if the request does not name it. */
  account?: AccountId
  id?: string
}

/** The snapshot of a copy as it is shown: the result of the transaction, or what `show` makes of it. */
export function createCopySnapshot(
  request: FastifyRequest,
  show = (copiedObject: unknown): object => copiedObject as object,
): AuditSnapshotOptions {
  const { id } = request.params as { id: string }
  return { after: (_, copiedObject) => show(copiedObject), said: { source: id } }
}

/** An object that is read alike before and after, once `lock` holds it. */
export function createAuditSnapshot(
  readObject: (tx: Db) => Promise<object>,
  lock?: (tx: Db) => Promise<unknown>,
): AuditSnapshotOptions {
  return {
    async before(tx) {
      await lock?.(tx)
      return readObject(tx)
    },
    after: readObject,
  }
}

/** Statuses of refusals that are recorded: these requests were understood and declined. */
const AUDITED_REFUSALS = new Set([403, 404, 409, 410, 412])

/** `PUT /segments/{id}` */
export function formatAuditOperation({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${(routeOptions.url ?? '').replace(/:(\w+)/g, '{$1}')}`
}

function toOptionalText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Id and name of what is shown; those of import formats stand in an object of their own. */
export function readAuditedIdentity(auditedObject: unknown): { id: string | null; name: string | null } {
  const { id, name, identifier } = isJsonObject(auditedObject) ? auditedObject : {}
  const identifierObject = isJsonObject(identifier) ? identifier : {}
  return { id: toOptionalText(id ?? identifierObject['guid']), name: toOptionalText(name ?? identifierObject['name']) }
}

/** The act that a request describes, as far as the request itself shows it. */
function describeAct(request: FastifyRequest, { object, id = 'id' }: AuditObjectRule): AuditedAct {
  const { account, actor, ip, params, body } = request
  const pathId = id === null ? null : toOptionalText((params as Record<string, unknown> | undefined)?.[id])
  return {
    account: account === 0 ? null : account,
    actor,
    origin: { address: ip, request: request.id },
    operation: formatAuditOperation(request),
    object: { type: object, id: pathId, name: null },
    before: null,
    after: null,
    given: body,
    said: null,
  }
}

function requireAuditRule(request: FastifyRequest): AuditObjectRule {
  const { audit } = request.routeOptions.config
  if (!audit || 'untold' in audit) throw new Error(`${formatAuditOperation(request)} does not say what is told of it`)
  return audit
}

async function readBefore(tx: Db, { before }: AuditSnapshotOptions): Promise<object | null> {
  try {
    return (await before?.(tx)) ?? null
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** An act as its transaction did it. */
export interface CompletedAct extends Pick<AuditSnapshotOptions, 'said' | 'account' | 'id'> {
  /** The object as it was shown before and after; null: it was not there. */
  before: object | null
  after: object | null
}

/** Records the act of a request in its transaction. */
export async function recordRequestAct(tx: Db, request: FastifyRequest, completedAct: CompletedAct): Promise<void> {
  const act = describeAct(request, requireAuditRule(request))
  const { before, after, said = null, account = act.account } = completedAct
  const { id, name } = readAuditedIdentity(after ?? before)
  const isCreated = before === null && id !== null
  const auditObject = {
    type: act.object.type,
    id: completedAct.id ?? (isCreated ? id : (act.object.id ?? id)),
    name,
  }
  await request.server.audit.record(tx, { ...act, account, object: auditObject, before, after, said })
}

/**
 * A handle for the work of a request: the first transaction opened on it also writes the row of the audit, so that both are
 * there or neither.
 */
export function createAuditedDb(request: FastifyRequest, db: Db, look: AuditSnapshotOptions = {}): Db {
  requireAuditRule(request)
  return createHookedDb(db, {
    async within(tx, work) {
      if (request.isTold) return work(tx)
      const before = await readBefore(tx, look)
      if (look.conditionSchema && before) await requirePrecondition(request, look.conditionSchema, async () => before)
      const result = await work(tx)
      await recordRequestAct(tx, request, { ...look, before, after: (await look.after?.(tx, result)) ?? null })
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

/** Nothing is recorded about this request, whatever its result is: its route records something else. */
export function skipRequestAudit(request: FastifyRequest): void {
  request.isTold = true
}

/** Records a refused act if the actor is known. A failure to record it does not change the answer. */
async function recordRefusal(request: FastifyRequest, _reply: FastifyReply, error: unknown): Promise<void> {
  if (!(error instanceof Problem) || !AUDITED_REFUSALS.has(error.status) || request.isTold || !request.actor) return
  const { db, record } = request.server.audit
  try {
    await inTransaction(db, (tx) =>
      record(tx, { ...describeAct(request, requireAuditRule(request)), problem: error.kind }),
    )
  } catch (cause) {
    request.log.error({ err: cause }, 'a refused act could not be recorded')
  }
}

const WRITE_METHOD = /^(?:POST|PUT|PATCH|DELETE)$/

/** Records refused acts, and collects the routes that write and have no audit rule. */
export function registerAudit(app: HttpApp, audit: Pick<AuditRecorder, 'db' | 'record'>): void {
  const undeclared: string[] = []
  app.decorate('audit', { ...audit, undeclared })
  app.decorateRequest('isTold', false)
  app.addHook('onRoute', (route) => {
    const { method, url, config, onError } = route
    const auditRule = config?.audit
    if (auditRule && 'object' in auditRule) route.onError = [...[onError ?? []].flat(), recordRefusal]
    const writeMethods =
      config?.right === 'read' ? [] : [method].flat().filter((methodName) => WRITE_METHOD.test(methodName))
    if (!auditRule) undeclared.push(...writeMethods.map((methodName) => `${methodName} ${url}`))
  })
}
