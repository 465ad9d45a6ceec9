import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { loadContactDefinitions } from '../fields/stored-definitions.ts'
import { buildContactShape, type ContactShape } from './contact-shape.ts'

/** The shape of an account's contacts as it stands; within a contact write after its lock. */
export async function loadContactShape(db: Db, account: AccountId): Promise<ContactShape> {
  return buildContactShape(await loadContactDefinitions(db, account))
}

/** Gives the shape of an account's contacts by the definitions of this number. */
export type ContactShapeLoader = (db: Db, account: AccountId, version: number) => Promise<ContactShape>

const MAX_CACHED_SHAPES = 1000

/**
 * A cache of shapes by the number of the present definitions, which the caller has read, so a change made in any process
 * shows at once.
 */
export function createContactShapeCache(): ContactShapeLoader {
  const cachedShapes = new LRUCache<AccountId, ContactShape>({ max: MAX_CACHED_SHAPES })
  return async (db, account, version) => {
    const cachedShape = cachedShapes.get(account)
    if (cachedShape?.version === version) return cachedShape
    const shape = await loadContactShape(db, account)
    cachedShapes.set(account, shape)
    return shape
  }
}
