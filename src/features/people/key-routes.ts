import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb } from '../../http/resource/audit-requests.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import { type AccessRight, accessRights } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { requireInstant } from '../../lib/time/period.ts'
import { createApiKey, generateApiKey, listApiKeys, revokeApiKey } from '../accounts/accounts.ts'
import { ApiKeyResource, CreatedApiKey, NewApiKeyBody } from './people-schemas.ts'

const tags = ['keys']
const adminConfig = { right: 'admin' } as const
const keyWriteConfig = { ...adminConfig, audit: { object: 'key' } } as const
const keyWriteSchema = { tags, refusals: { 403: 'session-required', 409: 'oneself' } }

type KeyRow = Awaited<ReturnType<typeof listApiKeys>>[number]

function toApiKeyResource({ id, name, rights: granted, created_at, expires_at, last_used_at }: KeyRow): ApiKeyResource {
  return {
    id,
    name,
    rights: accessRights.filter((right) => granted.includes(right)),
    createdAt: created_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }
}

/** Parses the expiry of a key; null: never. Throws 400 for a time in the past. */
function parseExpiry({ expires }: NewApiKeyBody, now: number): Date | null {
  if (expires === undefined || expires === null) return null
  const expiryTime = requireInstant(expires, '/expires')
  if (expiryTime.getTime() <= now) throw badRequestProblem('/expires', 'must be in the future')
  return expiryTime
}

/** Nobody gives a key more than they have. */
function assertOwnRights(granted: readonly AccessRight[] | null, requestedRights: readonly AccessRight[]): void {
  const missingRight = requestedRights.find((right) => !granted?.includes(right))
  if (missingRight)
    throw new Problem(403, 'right-missing', `You cannot grant the right "${missingRight}", which you do not have.`)
}

function registerRevocationRoute(app: HttpApp, { db, clock }: Pick<ServiceContext, 'db' | 'clock'>): void {
  app.delete('/keys/:id', {
    config: keyWriteConfig,
    schema: {
      ...keyWriteSchema,
      summary: 'Revoke an API key',
      description: 'Revokes the key within a second in all processes. A key cannot revoke itself.',
      operationId: 'revokeKey',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, apiKey, params } = request
      const id = parseInt32Id(params.id)
      if (id === undefined) throw notFoundProblem('key', params.id)
      if (id === apiKey) throw conflictProblem('oneself', 'A key cannot revoke itself. Use another key.')
      const auditedDb = createAuditedDb(request, db, {
        after: (_, revoked) => ({ name: (revoked as { name: string }).name }),
      })
      await inTransaction(auditedDb, (tx) => revokeApiKey(tx, id, new Date(clock.now()), account))
      return reply.code(204).send(null)
    },
  })
}

/** The keys of an account. */
export function apiKeyRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/keys', {
    config: adminConfig,
    schema: {
      tags,
      summary: 'List API keys',
      description:
        'Returns the keys of the account that are not revoked, without their secrets. Expired keys are included.',
      refusals: { 403: 'session-required' },
      response: { 200: Type.Array(ApiKeyResource) },
    },
    handler: async ({ account }) =>
      (await listApiKeys(db, account)).filter(({ revoked_at }) => revoked_at === null).map(toApiKeyResource),
  })
  app.post('/keys', {
    config: keyWriteConfig,
    schema: {
      ...keyWriteSchema,
      summary: 'Create an API key',
      description:
        'Creates a key and returns its secret, which is shown only once. A key cannot have rights that the ' +
        'caller lacks. A new key with the right `send` is reported by email to the other admins.',
      body: NewApiKeyBody,
      response: { 200: CreatedApiKey },
    },
    handler: async (request) => {
      const { account, rights: granted, person, body } = request
      assertOwnRights(granted, body.rights)
      const expiresAt = parseExpiry(body, clock.now())
      const key = generateApiKey()
      const snapshot: AuditSnapshotOptions = {
        after: (_, createdKey) => (createdKey ? toApiKeyResource(createdKey as KeyRow) : null),
      }
      const row = await inTransaction(createAuditedDb(request, db, snapshot), async (tx) => {
        const id = await createApiKey(tx, account, key, { name: body.name, rights: body.rights, expiresAt })
        if (body.rights.includes('send')) await enqueueTask(tx, 'people.key', { key: id, by: person?.id ?? null })
        return (await listApiKeys(tx, account)).find((listedKey) => listedKey.id === id)
      })
      if (!row) throw notFoundProblem('key', body.name)
      return { ...toApiKeyResource(row), key }
    },
  })
  registerRevocationRoute(app, { db, clock })
}
