import { Type } from 'typebox'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody, toApiProblem } from '../ask.ts'
import { describeExclusionReason, type ExclusionContext } from '../reasons.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'

const closedSchema = { additionalProperties: false }

/** Reference to a contact. */
export const McpContactReference = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Contact: its ID of 8 characters, or its unicity, such as its email address.',
})

type Contact = ExclusionContext & { id: string }

/** A contact by its id or its unicity. Throws notFound. */
export async function loadReferencedContact(ask: McpApiCaller, name: string): Promise<Contact> {
  if (/^[0-9a-z]{8}$/i.test(name)) {
    const reply = await ask({ method: 'GET', path: buildApiPath`/targets/${name}` })
    if (reply.status < 400) return reply.body as Contact
    if (reply.status !== 404) throw toApiProblem(reply)
  }
  const reply = await ask({ method: 'GET', path: '/targets', query: { unicity: name } })
  if (reply.status === 404) throw notFoundProblem('contact', name)
  if (reply.status >= 400) throw toApiProblem(reply)
  return reply.body as Contact
}

interface ChannelReachability {
  may: boolean
  until: string | null
  because: Parameters<typeof describeExclusionReason>[1][]
}

const findContactsTool = defineMcpTool({
  name: 'find_contacts',
  title: 'Find contacts',
  description:
    'Finds contacts by ID, address, number or a part of at least three characters, or by criteria of a dynamic segment, and counts them.',
  effect: 'reads',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 500 })),
      criteria: Type.Optional(McpJsonObject('Criteria, as of a dynamic segment.')),
      limit: listLimitSchema(100, 20),
      after: Type.Optional(Type.String({ maxLength: 4000, description: '`next` of the previous page.' })),
    },
    closedSchema,
  ),
  async run({ ask }, { limit = 20, ...searchQuery }) {
    const page = await requestApiBody<{ items: unknown; total: number; exact: boolean; next: string | null }>(ask, {
      method: 'POST',
      path: '/targets/search',
      body: { ...searchQuery, limit },
    })
    const { total, exact, next: nextPage, items } = page
    return { total, exact, next: nextPage, contacts: wrapUntrusted(items) }
  },
})

const readContactTool = defineMcpTool({
  name: 'read_contact',
  title: 'Read a contact',
  description:
    'Reads one contact with its fields (by field ID), flags and suppression lists, and the fields of the account.',
  effect: 'reads',
  input: Type.Object({ contact: McpContactReference }, closedSchema),
  async run({ ask }, { contact: name }) {
    const contact = await loadReferencedContact(ask, name)
    const contactFields = await readApiResource(ask, '/fields', { limit: 500 })
    return { id: contact.id, contact: wrapUntrusted(contact), fields: wrapUntrusted(contactFields) }
  },
})

const explainContactTool = defineMcpTool({
  name: 'explain_contact',
  title: 'Explain why a contact gets no messages',
  description:
    'Returns for each channel whether the contact can get messages now and, if not, every reason in words and until when: suppression lists, bounce flags, missing or invalid addresses, consent, marketing pressure.',
  effect: 'reads',
  input: Type.Object(
    {
      contact: McpContactReference,
      purpose: Type.Optional(
        Type.Enum(['marketing', 'service'], { description: 'Purpose of the message; default `marketing`.' }),
      ),
      topic: Type.Optional(Type.String({ description: 'UUID of the marketing pressure topic.' })),
    },
    closedSchema,
  ),
  async run({ ask }, { contact: name, purpose, topic }) {
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
  input: Type.Object({ contact: McpContactReference, limit: listLimitSchema(100, 20) }, closedSchema),
  async run({ ask }, { contact: name, limit = 20 }) {
    const { id } = await loadReferencedContact(ask, name)
    const contactEvents = await readApiResource(ask, buildApiPath`/targets/${id}/events`, { limit, sort: 'desc' })
    return { id, events: wrapUntrusted(contactEvents) }
  },
})

const listBouncesTool = defineMcpTool({
  name: 'list_bounces',
  title: 'List bounces',
  description:
    'Lists contacts whose addresses are flagged because of bounces, with the answers of the receiving servers. `query` narrows the list, for example "type:hardUser after:2026-01-01 example.org".',
  effect: 'reads',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 1000 })),
      startDate: Type.Optional(Type.String({ description: 'Start of the period, inclusive, in ISO 8601.' })),
      endDate: Type.Optional(Type.String({ description: 'End of the period, exclusive, in ISO 8601.' })),
      limit: listLimitSchema(200, 50),
    },
    closedSchema,
  ),
  async run({ ask }, { limit = 50, ...query }) {
    return { bounces: wrapUntrusted(await readApiResource(ask, '/targets/bounces', { limit, ...query })) }
  },
})

/** Tools that read contacts. */
export const mcpContactTools = [
  findContactsTool,
  readContactTool,
  explainContactTool,
  contactHistoryTool,
  listBouncesTool,
]
