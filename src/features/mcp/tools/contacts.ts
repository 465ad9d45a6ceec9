import { Type } from 'typebox'
import { notFound } from '../../../lib/errors/problem.ts'
import { type Ask, answerTo, at, problemOf, read } from '../ask.ts'
import { type Known, reasonInWords } from '../reasons.ts'
import { Json, limitOf, tool } from '../tool.ts'
import { ofOthers } from '../untrusted.ts'

const closed = { additionalProperties: false }

/** How a contact is named. */
export const ContactName = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'a contact: its id of 8 characters, or its unicity, such as its email address',
})

type Contact = Known & { id: string }

/** A contact by its id or its unicity. Throws notFound. */
export async function contactNamed(ask: Ask, name: string): Promise<Contact> {
  if (/^[0-9a-z]{8}$/i.test(name)) {
    const reply = await ask({ method: 'GET', path: at`/targets/${name}` })
    if (reply.status < 400) return reply.body as Contact
    if (reply.status !== 404) throw problemOf(reply)
  }
  const reply = await ask({ method: 'GET', path: '/targets', query: { unicity: name } })
  if (reply.status === 404) throw notFound('contact', name)
  if (reply.status >= 400) throw problemOf(reply)
  return reply.body as Contact
}

interface Reach {
  may: boolean
  until: string | null
  because: Parameters<typeof reasonInWords>[1][]
}

const findContacts = tool({
  name: 'find_contacts',
  title: 'Find contacts',
  description:
    'Finds contacts by an id, address, number or a part of at least three characters, or by criteria as of a dynamic segment, and counts them.',
  effect: 'reads',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ maxLength: 500 })),
      criteria: Type.Optional(Json('as of a dynamic segment')),
      limit: limitOf(100, 20),
      after: Type.Optional(Type.String({ maxLength: 4000, description: '"next" of the page before' })),
    },
    closed,
  ),
  async run({ ask }, { limit = 20, ...asked }) {
    const page = await answerTo<{ items: unknown; total: number; exact: boolean; next: string | null }>(ask, {
      method: 'POST',
      path: '/targets/search',
      body: { ...asked, limit },
    })
    const { total, exact, next, items } = page
    return { total, exact, next, contacts: ofOthers(items) }
  },
})

const readContact = tool({
  name: 'read_contact',
  title: 'Read a contact',
  description: 'Reads one contact with its fields (by their ids), flags, red lists, and the fields of the account.',
  effect: 'reads',
  input: Type.Object({ contact: ContactName }, closed),
  async run({ ask }, { contact: name }) {
    const contact = await contactNamed(ask, name)
    const fields = await read(ask, '/fields', { limit: 500 })
    return { id: contact.id, contact: ofOthers(contact), fields: ofOthers(fields) }
  },
})

const explainContact = tool({
  name: 'explain_contact',
  title: 'Explain why a contact is not written to',
  description:
    'Says for each channel whether a contact may be written to now, and if not every reason in words: red lists, bounce flags, missing or invalid addresses, consent, marketing pressure, and until when.',
  effect: 'reads',
  input: Type.Object(
    {
      contact: ContactName,
      purpose: Type.Optional(Type.Enum(['marketing', 'service'], { description: 'marketing unless given' })),
      topic: Type.Optional(Type.String({ description: 'of marketing pressure; a uuid' })),
    },
    closed,
  ),
  async run({ ask }, { contact: name, purpose, topic }) {
    const contact = await contactNamed(ask, name)
    const path = at`/targets/${contact.id}`
    const reach = await read<Record<string, Reach>>(ask, `${path}/reachability`, { purpose, topic })
    const pressure = await read(ask, `${path}/pressure`)
    const channels = Object.entries(reach).map(([channel, { may, until, because }]) => [
      channel,
      { may, until, why: because.map((one) => reasonInWords(contact, one)), reasons: ofOthers(because) },
    ])
    return {
      id: contact.id,
      channels: Object.fromEntries(channels),
      pressure: ofOthers(pressure),
      flags: ofOthers({ bounce: contact.bounce ?? [], redList: contact.redList ?? {} }),
    }
  },
})

const contactHistory = tool({
  name: 'contact_history',
  title: 'What happened with a contact',
  description: 'Lists the newest events of a contact: what was sent, opened, clicked, what came back, and its replies.',
  effect: 'reads',
  input: Type.Object({ contact: ContactName, limit: limitOf(100, 20) }, closed),
  async run({ ask }, { contact: name, limit = 20 }) {
    const { id } = await contactNamed(ask, name)
    const events = await read(ask, at`/targets/${id}/events`, { limit, sort: 'desc' })
    return { id, events: ofOthers(events) }
  },
})

const listBounces = tool({
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
      limit: limitOf(200, 50),
    },
    closed,
  ),
  async run({ ask }, { limit = 50, ...query }) {
    return { bounces: ofOthers(await read(ask, '/targets/bounces', { limit, ...query })) }
  },
})

/** What is asked about contacts. */
export const contactTools = [findContacts, readContact, explainContact, contactHistory, listBounces]
