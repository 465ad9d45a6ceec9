import { Type } from 'typebox'
import { conflict } from '../../../lib/errors/problem.ts'
import { type Ask, answerTo, at, ifMatch, problemOf, read, readTagged } from '../ask.ts'
import { Id, Json, limitOf, tool } from '../tool.ts'
import { ofOthers } from '../untrusted.ts'
import { ContactName, contactNamed } from './contacts.ts'
import {
  isDraft,
  KindName,
  kinds,
  type Message,
  type Named,
  named,
  pathOf,
  readMessage,
  stateInWords,
} from './kinds.ts'

const closed = { additionalProperties: false }

const listMessages = tool({
  name: 'list_messages',
  title: 'List messages',
  description: 'Lists campaigns and messages of a kind, newest first, with their states.',
  effect: 'reads',
  input: Type.Object(
    {
      kind: KindName,
      name: Type.Optional(Type.String({ maxLength: 200, description: 'a part of the name' })),
      limit: limitOf(200, 50),
    },
    closed,
  ),
  async run({ ask }, { kind = 'message', name, limit = 50 }) {
    return { messages: ofOthers(await read(ask, kinds[kind].path, { name, limit, sort: '-creationDate' })) }
  },
})

const readOne = tool({
  name: 'read_message',
  title: 'Read a message',
  description: 'Reads a campaign or message: its state, settings, content and schedule.',
  effect: 'reads',
  input: Type.Object(named, closed),
  async run({ ask }, asked) {
    const message = await readMessage(ask, asked)
    return { id: message.id, state: stateInWords(message), isDraft: isDraft(message), message: ofOthers(message) }
  },
})

const draftMessage = tool({
  name: 'draft_message',
  title: 'Draft a message',
  description:
    'Makes a draft, or with `message` changes one; nothing is sent. Of an email: {"type": "mailCampaign" or "mailMessage", "name", "content": {"subject", "html", "text"}, "scheduler": {"type": "asap", "segments": {"selected": [ids]}}}; of an SMS: "smsCampaign" or "smsMessage" with "content": {"textContent"}; of RCS (kind rcs): "rcsCampaign" or "rcsMessage" with "settings": {"profile"} and "content": {"type": "text", "text"}; of a notification (kind notification): {"type": "push-app", "name", "settings": {"application"}, "versions": [{"master": true, "content": {"title", "body"}}]}. What is validated, active or sent is not changed.',
  effect: 'drafts',
  input: Type.Object(
    {
      kind: KindName,
      message: Type.Optional(Id),
      draft: Json('the members to write; those left out keep their values'),
    },
    closed,
  ),
  async run({ ask }, { kind = 'message', message, draft }) {
    const done = (made: Message) => ({ id: made.id, state: stateInWords(made), message: ofOthers(made) })
    if (message === undefined)
      return done(await answerTo<Message>(ask, { method: 'POST', path: kinds[kind].path, body: draft }))
    const path = pathOf({ kind, message })
    const { body: present, etag } = await readTagged<Message>(ask, path)
    if (!isDraft(present))
      throw conflict('not-a-draft', `It is no draft any more (${stateInWords(present)}): copy it, or take it back.`)
    return done(await answerTo<Message>(ask, { method: 'PUT', path, body: draft, headers: ifMatch(etag) }))
  },
})

const renderMessage = tool({
  name: 'render_message',
  title: 'Show a message as a contact would get it',
  description:
    'Renders a message for one contact: subject, HTML and text, or what keeps it from being made. Nothing is sent.',
  effect: 'reads',
  input: Type.Object({ ...named, contact: ContactName }, closed),
  async run({ ask }, { contact: name, ...asked }) {
    const { id } = await contactNamed(ask, name)
    const recipient = { type: 'id', value: id }
    const body = asked.kind === 'notification' ? { receiver: recipient } : { recipient }
    return {
      contact: id,
      rendered: ofOthers(await answerTo(ask, { method: 'POST', path: `${pathOf(asked)}/render`, body })),
    }
  },
})

/** A look at a message with no contact in particular; a refusal is one, too. */
async function looked(ask: Ask, path: string): Promise<unknown> {
  const reply = await ask({ method: 'POST', path: `${path}/render`, body: {} })
  if (reply.status < 400) return reply.body
  if (reply.status !== 409) throw problemOf(reply)
  return { type: 'error', value: reply.body }
}

/** Of what is not tested before it is validated: each version as it is made without a contact. */
async function looksAt(ask: Ask, asked: Named, { versions = [] }: Message): Promise<unknown[]> {
  const path = pathOf(asked)
  if (asked.kind !== 'notification') return [{ version: null, look: await looked(ask, path) }]
  return Promise.all(
    versions.map(async ({ id: version }) => ({ version, look: await looked(ask, path + at`/versions/${version}`) })),
  )
}

const messageFindings = tool({
  name: 'message_findings',
  title: 'What is wrong with a message',
  description:
    'Says how far a message is, and what its last test or validation found: errors that keep it from being sent, and findings of what is unwise. test_message looks anew. RCS actions and notifications keep no findings: `looks` has how they are made without a contact, with errors and warnings; the rest is said when they are validated.',
  effect: 'reads',
  input: Type.Object(named, closed),
  async run({ ask }, asked) {
    const message = await readMessage(ask, asked)
    const about = { id: message.id, state: stateInWords(message) }
    const { kind = 'message' } = asked
    if (kind !== 'message') return { ...about, looks: ofOthers(await looksAt(ask, asked, message)) }
    return { ...about, lastValidation: ofOthers(message.informations?.lastValidation ?? null) }
  },
})

const messageAudience = tool({
  name: 'message_audience',
  title: 'Who would get a message',
  description:
    'Counts who would get a message now, whom it cannot be sent to and why, and whom marketing pressure would stop.',
  effect: 'reads',
  input: Type.Object(named, closed),
  run: async ({ ask }, asked) => answerTo(ask, { method: 'POST', path: `${pathOf(asked)}/audience`, body: {} }),
})

const messageReport = tool({
  name: 'message_report',
  title: 'What became of a message',
  description: 'Reads the results of a message: sent, refused, cancelled and why, opens, clicks, unsubscribed, links.',
  effect: 'reads',
  input: Type.Object(
    {
      ...named,
      start: Type.Optional(Type.String({ description: 'ISO 8601' })),
      end: Type.Optional(Type.String({ description: 'ISO 8601' })),
    },
    closed,
  ),
  async run({ ask }, { start, end, ...asked }) {
    return { report: ofOthers(await read(ask, `${pathOf(asked)}/report`, { start, end })) }
  },
})

/** What is asked about messages, and how they are drafted. */
export const messageTools = [
  listMessages,
  readOne,
  draftMessage,
  renderMessage,
  messageFindings,
  messageAudience,
  messageReport,
]
