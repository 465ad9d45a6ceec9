import { Type } from 'typebox'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody, toApiProblem } from '../ask.ts'
import { describeExclusionReason, type ExclusionContext, type ExclusionReason } from '../reasons.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject, mcpPeriod, searchTextSchema, toolArguments } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { readFieldNames, replaceFieldIds } from './field-names.ts'

/** Reference to a contact. */
export const McpContactReference = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Contact: its ID of 8 characters, or its unicity, such as its email address.',
})

/** A contact as the interface shows it. */
export type McpContact = ExclusionContext & { id: string; fields?: Record<string, unknown> }

/** A contact by its id or its unicity. Throws notFound. */
export async function loadReferencedContact(ask: McpApiCaller, name: string): Promise<McpContact> {
  if (/^[0-9a-z]{8}$/i.test(name)) {
    const reply = await ask({ method: 'GET', path: buildApiPath`/targets/${name}` })
    if (reply.status < 400) return reply.body as McpContact
    if (reply.status !== 404) throw toApiProblem(reply)
  }
  const reply = await ask({ method: 'GET', path: '/targets', query: { unicity: name } })
  if (reply.status === 404) throw notFoundProblem('contact', name)
  if (reply.status >= 400) throw toApiProblem(reply)
  return reply.body as McpContact
}

const findContactsTool = defineMcpTool({
  name: 'find_contacts',
  title: 'Find contacts',
  description: 'Finds and counts contacts by a text or by criteria.',
  effect: 'reads',
  input: toolArguments({
    query: Type.Optional(searchTextSchema('ID, address or number, or a part of at least three characters.')),
    criteria: Type.Optional(McpJsonObject('Criteria, as in count_segment.')),
    limit: listLimitSchema(100, 20),
    after: Type.Optional(Type.String({ maxLength: 4000, description: '`next` of the previous page.' })),
  }),
  async run({ ask }, { limit = 20, ...searchQuery }) {
    const page = await requestApiBody<{ items: McpContact[]; total: number; exact: boolean; next: string | null }>(
      ask,
      { method: 'POST', path: '/targets/search', body: { ...searchQuery, limit } },
    )
    const { total, exact, next: nextPage, items } = page
    const fieldNames = await readFieldNames(ask)
    const contacts = items.map((contact) => replaceFieldIds(contact, fieldNames))
    return { total, exact, next: nextPage, contacts: wrapUntrusted(contacts) }
  },
})

const readContactTool = defineMcpTool({
  name: 'read_contact',
  title: 'Read a contact',
  description: 'Reads a contact with its field values, bounce flags and suppression lists.',
  effect: 'reads',
  input: toolArguments({ id: McpContactReference }),
  async run({ ask }, { id: name }) {
    const contact = await loadReferencedContact(ask, name)
    return { id: contact.id, contact: wrapUntrusted(replaceFieldIds(contact, await readFieldNames(ask))) }
  },
})

interface ChannelReachability {
  may: boolean
  until: string | null
  because: ExclusionReason[]
}

const explainContactTool = defineMcpTool({
  name: 'explain_contact',
  title: 'Explain why a contact gets no messages',
  description: 'Says for each channel whether the contact can get messages now and, if not, why and until when.',
  effect: 'reads',
  input: toolArguments({
    id: McpContactReference,
    purpose: Type.Optional(
      Type.Enum(['marketing', 'service'], { description: 'Purpose of the message; default `marketing`.' }),
    ),
    topic: Type.Optional(Type.String({ description: 'UUID of the marketing pressure topic.' })),
  }),
  async run({ ask }, { id: name, purpose, topic }) {
    const contact = await loadReferencedContact(ask, name)
    const path = buildApiPath`/targets/${contact.id}`
    const channelReach = await readApiResource<Record<string, ChannelReachability>>(ask, `${path}/reachability`, {
      purpose,
      topic,
    })
    const pressure = await readApiResource(ask, `${path}/pressure`)
    const channels = Object.entries(channelReach).map(([channel, { may, until, because }]) => [
      channel,
      {
        may,
        until,
        why: because.map((exclusion) => describeExclusionReason(contact, exclusion)),
        reasons: wrapUntrusted(because),
      },
    ])
    return {
      id: contact.id,
      channels: Object.fromEntries(channels),
      pressure: wrapUntrusted(pressure),
      flags: wrapUntrusted({ bounce: contact.bounce ?? [], redList: contact.redList ?? {} }),
    }
  },
})

const contactHistoryTool = defineMcpTool({
  name: 'contact_history',
  title: 'List the events of a contact',
  description: 'Lists the newest events of a contact: messages sent, opens, clicks, bounces and replies.',
  effect: 'reads',
  input: toolArguments({ id: McpContactReference, limit: listLimitSchema(100, 20) }),
  async run({ ask }, { id: name, limit = 20 }) {
    const { id } = await loadReferencedContact(ask, name)
    const contactEvents = await readApiResource(ask, buildApiPath`/targets/${id}/events`, { limit, sort: 'desc' })
    return { id, events: wrapUntrusted(contactEvents) }
  },
})

const listBouncesTool = defineMcpTool({
  name: 'list_bounces',
  title: 'List bounces',
  description: 'Lists contacts whose addresses are flagged because of bounces, with what the receiving servers said.',
  effect: 'reads',
  input: toolArguments({
    query: Type.Optional(searchTextSchema('For example "type:hardUser after:2026-01-01 example.org".', 1000)),
    ...mcpPeriod,
    limit: listLimitSchema(200, 50),
  }),
  async run({ ask }, { query, start: startDate, end: endDate, limit = 50 }) {
    const parameters = { query, startDate, endDate, limit }
    return { bounces: wrapUntrusted(await readApiResource(ask, '/targets/bounces', parameters)) }
  },
})

const saveContactTool = defineMcpTool({
  name: 'save_contact',
  title: 'Create or change a contact',
  description: 'Creates a contact or, with `id`, changes the given fields of one.',
  effect: 'drafts',
  input: toolArguments({
    id: Type.Optional(McpContactReference),
    values: McpJsonObject('Values by field name: {"Email": "ann@example.com"}. null empties a field.'),
  }),
  async run({ ask }, { id: name, values: body }) {
    if (name === undefined) {
      const created = await requestApiBody<McpContact>(ask, { method: 'POST', path: '/targets', body })
      return { id: created.id, created: true }
    }
    const { id } = await loadReferencedContact(ask, name)
    await requestApiBody(ask, { method: 'PUT', path: buildApiPath`/targets/${id}`, body })
    return { id, created: false }
  },
})

/** Tools that find, explain and write contacts. */
export const mcpContactTools = [
  findContactsTool,
  readContactTool,
  saveContactTool,
  explainContactTool,
  contactHistoryTool,
  listBouncesTool,
]
