import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { type Look, told } from '../../http/resource/audit.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Right, rights } from '../../lib/account.ts'
import { badRequest, conflict, notFound, Problem } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import { requireInstant } from '../../lib/time/period.ts'
import { createKey, listKeys, randomKey, revokeKey } from '../accounts/accounts.ts'
import { Key, KeyMade, NewKey } from './people-schemas.ts'

const tags = ['keys']
const config = { right: 'admin' } as const
const written = { ...config, audit: { object: 'key' } } as const

type KeyRow = Awaited<ReturnType<typeof listKeys>>[number]

function shown({ id, name, rights: granted, created_at, expires_at, last_used_at }: KeyRow): Key {
  return {
    ...{ id, name },
    rights: rights.filter((right) => granted.includes(right)),
    createdAt: created_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }
}

/** When a key ends; null: never. Throws 400 for what is over already. */
function readExpiry({ expires }: NewKey, now: number): Date | null {
  if (expires === undefined || expires === null) return null
  const at = requireInstant(expires, '/expires')
  if (at.getTime() <= now) throw badRequest('/expires', 'must be in the future')
  return at
}

/** Nobody gives a key more than they have. */
function requireOwn(granted: readonly Right[] | null, asked: readonly Right[]): void {
  const missing = asked.find((right) => !granted?.includes(right))
  if (missing) throw new Problem(403, 'right-missing', `You cannot give the right "${missing}", which you lack.`)
}

/** The keys of an account. */
export function keyRoutes(app: App, { db, clock }: Context): void {
  app.get('/keys', {
    config,
    schema: { tags, summary: 'list keys, without their secrets', response: { 200: Type.Array(Key) } },
    handler: async ({ account }) =>
      (await listKeys(db, account)).filter(({ revoked_at }) => revoked_at === null).map(shown),
  })
  app.post('/keys', {
    config: written,
    schema: { tags, summary: 'make a key, which is shown this once', body: NewKey, response: { 200: KeyMade } },
    handler: async (request) => {
      const { account, rights: granted, person, body } = request
      requireOwn(granted, body.rights)
      const expiresAt = readExpiry(body, clock.now())
      const key = randomKey()
      const look: Look = { after: (_, made) => (made ? shown(made as KeyRow) : null) }
      const row = await inTransaction(told(request, db, look), async (tx) => {
        const id = await createKey(tx, account, key, { name: body.name, rights: body.rights, expiresAt })
        if (body.rights.includes('send')) await enqueue(tx, 'people.key', { key: id, by: person?.id ?? null })
        return (await listKeys(tx, account)).find((one) => one.id === id)
      })
      if (!row) throw notFound('key', body.name)
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
      const id = readIntId(params.id)
      if (id === undefined) throw notFound('key', params.id)
      if (id === apiKey) throw conflict('oneself', 'A key does not revoke itself: use another one.')
      const handle = told(request, db, { after: (_, revoked) => ({ name: (revoked as { name: string }).name }) })
      await inTransaction(handle, (tx) => revokeKey(tx, id, new Date(clock.now()), account))
      return reply.code(204).send(null)
    },
  })
}
