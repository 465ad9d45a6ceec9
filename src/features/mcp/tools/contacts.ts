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
  description: 'a contact: its id of 8 characters, or its unicity, such as its email address',
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
    'Finds contacts by an id, address, number or a part of at least three characters, or by criteria as of a dynamic segment, and counts them.',
  effect: 'reads',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 500 })),
      criteria: Type.Optional(McpJsonObject('as of a dynamic segment')),
      limit: listLimitSchema(100, 20),
      after: Type.Optional(Type.String({ maxLength: 4000, description: '"next" of the page before' })),
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
  description: 'Reads one contact with its fields (by their ids), flags, red lists, and the fields of the account.',
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
  title: 'Explain why a contact is not written to',
  description:
    'Says for each channel whether a contact may be written to now, and if not every reason in words: red lists, bounce flags, missing or invalid addresses, consent, marketing pressure, and until when.',
  effect: 'reads',
  input: Type.Object(
    {
      contact: McpContactReference,
      purpose: Type.Optional(Type.Enum(['marketing', 'service'], { description: 'marketing unless given' })),
      topic: Type.Optional(Type.String({ description: 'of marketing pressure; a uuid' })),
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
  title: 'What happened with a contact',
  description: 'Lists the newest events of a contact: what was sent, opened, clicked, what came back, and its replies.',
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
    'Lists contacts whose addresses are flagged because messages came back, with what the far side said. `query` narrows, for example "type:hardUser after:2026-01-01 example.org".',
  effect: 'reads',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 1000 })),
      startDate: Type.Optional(Type.String({ description: 'ISO 8601' })),
      endDate: Type.Optional(Type.String({ description: 'ISO 8601' })),
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
