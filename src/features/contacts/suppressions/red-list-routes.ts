import { Type } from 'typebox'
import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import { channelRedListNames } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../../http/resource/list.ts'
import { parseContactId } from '../../../lib/ids.ts'
import { parseTimePeriod } from '../../../lib/time/period.ts'
import { ContactParams, parseContactPath } from '../records/contact-request.ts'
import { putOnRedList, type RedListPageKey, readRedList, removeFromRedList } from './red-list.ts'
import { RedListEntry, RedListEntryBody, RedListRemovalBody } from './red-list-schemas.ts'

const tags = ['targets']
/** The names of red lists in operation IDs and in texts. */
const redListNames: Record<ChannelRedListName, { id: string; text: string }> = {
  mail: { id: 'Mail', text: 'mail' },
  sms: { id: 'Sms', text: 'SMS' },
}
const OptionalTimestamp = Type.Optional(
  Type.String({
    description: 'Start (inclusive) or end (exclusive) of the period: ISO 8601, or milliseconds since 1970.',
  }),
)

function parsePageKey(value: unknown): RedListPageKey | undefined {
  const [atMs, contact] = Array.isArray(value) ? value.map(parseNumericListKey) : []
  return atMs === undefined || contact === undefined ? undefined : [atMs, contact]
}

function registerRedListReading(app: HttpApp, { db }: ServiceContext, channel: ChannelRedListName): void {
  app.get(`/targets/redlist/${channel}`, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: `List the entries of the ${redListNames[channel].text} suppression list`,
      description:
        'Returns the contacts that receive nothing on the channel, in order of time and then of contact ID. ' +
        'The SMS list also covers RCS.',
      operationId: `list${redListNames[channel].id}RedList`,
      querystring: Type.Object({
        ...ListPageQuery.properties,
        startDate: OptionalTimestamp,
        endDate: OptionalTimestamp,
      }),
      response: { 200: declareStreamedAnswer(Type.Array(RedListEntry)) },
    },
    handler: (request, reply) => {
      const period = parseTimePeriod(request.query, 'startDate', 'endDate')
      return sendList(request, reply, {
        rows: (page) => readRedList(db, request.account, { channel, period }, page),
        key: ({ timestamp, id }): RedListPageKey => [Date.parse(timestamp), parseContactId(id) ?? 0],
        readKey: parsePageKey,
      })
    },
  })
}

function registerRedListWriting(app: HttpApp, context: ServiceContext, channel: ChannelRedListName): void {
  const { db, clock } = context
  app.post(`/targets/:id/redlist/${channel}`, {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: `Add a contact to the ${redListNames[channel].text} suppression list`,
      description:
        'Stops all messages to the contact on the channel; the SMS list also covers RCS. Messages that have not ' +
        'left yet are cancelled. If the contact is on the list already, the entry keeps its members except those given.',
      operationId: `addTargetTo${redListNames[channel].id}RedList`,
      params: ContactParams,
      body: RedListEntryBody,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, params, body }, reply) => {
      const newEntry = { channel, contact: parseContactPath(params), given: body, now: new Date(clock.now()) }
      await putOnRedList(db, account, newEntry)
      return reply.code(204).send(null)
    },
  })
  app.delete(`/targets/:id/redlist/${channel}`, {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: `Remove a contact from the ${redListNames[channel].text} suppression list`,
      description:
        'Allows messages to the contact on the channel again. A reason is required, in the body or in the query; it is ' +
        'retained permanently with the former entry. The answer is 404 if the contact is not on the list.',
      operationId: `removeTargetFrom${redListNames[channel].id}RedList`,
      refusals: { 404: 'not-listed' },
      params: ContactParams,
      querystring: Type.Object({
        reason: Type.Optional(
          Type.String({ description: 'Reason for the removal, 1 to 500 characters, if the body gives none.' }),
        ),
      }),
      body: RedListRemovalBody,
      response: { 204: Type.Null() },
    },
    handler: async ({ account, actor, params, query, body }, reply) => {
      const entryKey = { channel, contact: parseContactPath(params) }
      const reason = body?.reason ?? query.reason
      await removeFromRedList(db, account, entryKey, { ...context, actor, reason })
      return reply.code(204).send(null)
    },
  })
}

/** Routes of the red lists: contacts that receive nothing by email, and none by SMS and RCS. */
export function redListRoutes(app: HttpApp, context: ServiceContext): void {
  for (const channel of channelRedListNames) {
    registerRedListReading(app, context, channel)
    registerRedListWriting(app, context, channel)
  }
}
