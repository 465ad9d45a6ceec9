import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb } from '../../http/resource/audit.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import { type AccessRight, accessRights } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { requireInstant } from '../../lib/time/period.ts'
import { createApiKey, generateApiKey, listApiKeys, revokeApiKey } from '../accounts/accounts.ts'
import { ApiKeyResource, CreatedApiKey, NewApiKeyBody } from './people-schemas.ts'

const tags = ['keys']
const config = { right: 'admin' } as const
const written = { ...config, audit: { object: 'key' } } as const

type KeyRow = Awaited<ReturnType<typeof listApiKeys>>[number]

function shown({ id, name, rights: granted, created_at, expires_at, last_used_at }: KeyRow): ApiKeyResource {
  return {
    ...{ id, name },
    rights: accessRights.filter((right) => granted.includes(right)),
    createdAt: created_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }
}

/** When a key ends; null: never. Throws 400 for what is over already. */
function readExpiry({ expires }: NewApiKeyBody, now: number): Date | null {
  if (expires === undefined || expires === null) return null
  const at = requireInstant(expires, '/expires')
  if (at.getTime() <= now) throw badRequestProblem('/expires', 'must be in the future')
  return at
}

/** Nobody gives a key more than they have. */
function requireOwn(granted: readonly AccessRight[] | null, asked: readonly AccessRight[]): void {
  const missing = asked.find((right) => !granted?.includes(right))
  if (missing) throw new Problem(403, 'right-missing', `You cannot give the right "${missing}", which you lack.`)
}

/** The keys of an account. */
export function apiKeyRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/keys', {
    config,
    schema: { tags, summary: 'list keys, without their secrets', response: { 200: Type.Array(ApiKeyResource) } },
    handler: async ({ account }) =>
      (await listApiKeys(db, account)).filter(({ revoked_at }) => revoked_at === null).map(shown),
  })
  app.post('/keys', {
    config: written,
    schema: {
      tags,
      summary: 'make a key, which is shown this once',
      body: NewApiKeyBody,
      response: { 200: CreatedApiKey },
    },
    handler: async (request) => {
      const { account, rights: granted, person, body } = request
      requireOwn(granted, body.rights)
      const expiresAt = readExpiry(body, clock.now())
      const key = generateApiKey()
      const look: AuditSnapshotOptions = { after: (_, made) => (made ? shown(made as KeyRow) : null) }
      const row = await inTransaction(createAuditedDb(request, db, look), async (tx) => {
        const id = await createApiKey(tx, account, key, { name: body.name, rights: body.rights, expiresAt })
        if (body.rights.includes('send')) await enqueueTask(tx, 'people.key', { key: id, by: person?.id ?? null })
        return (await listApiKeys(tx, account)).find((one) => one.id === id)
      })
      if (!row) throw notFoundProblem('key', body.name)
      return { ...shown(row), key }
    },
  })
  app.delete('/keys/:id', {
    config: written,
    schema: {
      tags,
      summary: 'revoke a key, within a second',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, apiKey, params } = request
      const id = parseInt32Id(params.id)
      if (id === undefined) throw notFoundProblem('key', params.id)
      if (id === apiKey) throw conflictProblem('oneself', 'A key does not revoke itself: use another one.')
      const handle = createAuditedDb(request, db, {
        after: (_, revoked) => ({ name: (revoked as { name: string }).name }),
      })
      await inTransaction(handle, (tx) => revokeApiKey(tx, id, new Date(clock.now()), account))
      return reply.code(204).send(null)
    },
  })
}
