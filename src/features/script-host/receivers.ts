import type { FastifyRequest } from 'fastify'
import { isJsonObject } from '../../lib/objects.ts'

/** Reads the `recipient` of items, as those of actions have it, as their `receiver`; before they are validated. */
export async function renameRecipients({ body }: Pick<FastifyRequest, 'body'>): Promise<void> {
  for (const item of [body].flat()) {
    if (!isJsonObject(item) || item['recipient'] === undefined || item['receiver'] != null) continue
    item['receiver'] = item['recipient']
    delete item['recipient']
  }
}
