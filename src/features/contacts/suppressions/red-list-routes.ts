import { Type } from 'typebox'
import type { RedListName } from '../../../channels/facts.ts'
import { redListNames } from '../../../channels/facts.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../../http/resource/list.ts'
import { readContactId } from '../../../lib/ids.ts'
import { readPeriod } from '../../../lib/time/period.ts'
import { ContactParams, pathContact } from '../records/contact-request.ts'
import { type EntryKey, listContact, readRedList, removeFromRedList } from './red-list.ts'
import { RedListEntry, RedListing, RedListRemoval } from './red-list-schemas.ts'

const tags = ['targets']
const date = Type.Optional(Type.String({ description: 'ISO 8601, or milliseconds since 1970' }))

function readKey(value: unknown): EntryKey | undefined {
  const [atMs, contact] = Array.isArray(value) ? value.map(readNumberKey) : []
  return atMs === undefined || contact === undefined ? undefined : [atMs, contact]
}

function registerReading(app: App, { db }: Context, channel: RedListName): void {
  app.get(`/targets/redlist/${channel}`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: `read the ${channel} red list`,
      querystring: Type.Object({ ...PageQuery.properties, startDate: date, endDate: date }),
      response: { 200: sent(Type.Array(RedListEntry)) },
    },
    handler: (request, reply) => {
      const period = readPeriod(request.query, 'startDate', 'endDate')
      return sendList(request, reply, {
        rows: (page) => readRedList(db, request.account, { channel, period }, page),
        key: ({ timestamp, id }): EntryKey => [Date.parse(timestamp), readContactId(id) ?? 0],
        readKey,
      })
    },
  })
}

function registerWriting(app: App, context: Context, channel: RedListName): void {
  const { db, clock } = context
  app.post(`/targets/:id/redlist/${channel}`, {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags,
      summary: `put a contact on the ${channel} red list`,
      params: ContactParams,
      body: RedListing,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, params, body }, reply) => {
      const listing = { channel, contact: pathContact(params), given: body, now: new Date(clock.now()) }
      await listContact(db, account, listing)
      return reply.code(204).send(null)
    },
  })
  app.delete(`/targets/:id/redlist/${channel}`, {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags,
      summary: `take a contact off the ${channel} red list, for a reason that is kept`,
      params: ContactParams,
      querystring: Type.Object({ reason: Type.Optional(Type.String()) }),
      body: RedListRemoval,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, actor, params, query, body }, reply) => {
      const listed = { channel, contact: pathContact(params) }
      const reason = body?.reason ?? query.reason
      await removeFromRedList(db, account, listed, { ...context, actor, reason })
      return reply.code(204).send(null)
    },
  })
}

/** Who receives nothing: by mail, and by SMS and RCS. */
export function redListRoutes(app: App, context: Context): void {
  for (const channel of redListNames) {
    registerReading(app, context, channel)
    registerWriting(app, context, channel)
  }
}
