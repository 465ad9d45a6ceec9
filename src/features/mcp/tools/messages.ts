import { Type } from 'typebox'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import {
  buildApiPath,
  ifMatchHeader,
  type McpApiCaller,
  readApiResource,
  readTaggedResource,
  requestApiBody,
  toApiProblem,
} from '../ask.ts'
import { defineMcpTool, listLimitSchema, McpJsonObject, McpObjectId } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'
import {
  describeMessageState,
  isUnsentMessage,
  loadMcpMessage,
  type McpMessage,
  McpMessageKindName,
  type McpMessageReference,
  mcpMessageKinds,
  mcpMessagePath,
  mcpMessageReference,
} from './kinds.ts'

const closedSchema = { additionalProperties: false }

const listMessagesTool = defineMcpTool({
  name: 'list_messages',
  title: 'List messages',
  description: 'Lists campaigns and messages of a kind, newest first, with their states.',
  effect: 'reads',
  input: Type.Object(
    {
      kind: McpMessageKindName,
      name: Type.Optional(Type.String({ maxLength: 200, description: 'a part of the name' })),
      limit: listLimitSchema(200, 50),
    },
    closedSchema,
  ),
  async run({ ask }, { kind = 'message', name, limit = 50 }) {
    return {
      messages: wrapUntrusted(
        await readApiResource(ask, mcpMessageKinds[kind].path, { name, limit, sort: '-creationDate' }),
      ),
    }
  },
})

const readMessageTool = defineMcpTool({
  name: 'read_message',
  title: 'Read a message',
  description: 'Reads a campaign or message: its state, settings, content and schedule.',
  effect: 'reads',
  input: Type.Object(mcpMessageReference, closedSchema),
  async run({ ask }, reference) {
    const message = await loadMcpMessage(ask, reference)
    return {
      id: message.id,
      state: describeMessageState(message),
      isDraft: isUnsentMessage(message),
      message: wrapUntrusted(message),
    }
  },
})

const writeMessageTool = defineMcpTool({
  name: 'draft_message',
  title: 'Draft a message',
  description:
    'Makes a draft, or with `message` changes one; nothing is sent. Of an email: {"type": "mailCampaign" or "mailMessage", "name", "content": {"subject", "html", "text"}, "scheduler": {"type": "asap", "segments": {"selected": [ids]}}}; of an SMS: "smsCampaign" or "smsMessage" with "content": {"textContent"}; of RCS (kind rcs): "rcsCampaign" or "rcsMessage" with "settings": {"profile"} and "content": {"type": "text", "text"}; of a notification (kind notification): {"type": "push-app", "name", "settings": {"application"}, "versions": [{"master": true, "content": {"title", "body"}}]}. What is validated, active or sent is not changed.',
  effect: 'drafts',
  input: Type.Object(
    {
      kind: McpMessageKindName,
      message: Type.Optional(McpObjectId),
      draft: McpJsonObject('the members to write; those left out keep their values'),
    },
    closedSchema,
  ),
  async run({ ask }, { kind = 'message', message, draft }) {
    const toResult = (savedMessage: McpMessage) => ({
      id: savedMessage.id,
      state: describeMessageState(savedMessage),
      message: wrapUntrusted(savedMessage),
    })
    if (message === undefined)
      return toResult(
        await requestApiBody<McpMessage>(ask, { method: 'POST', path: mcpMessageKinds[kind].path, body: draft }),
      )
    const path = mcpMessagePath({ kind, message })
    const { body: currentMessage, etag } = await readTaggedResource<McpMessage>(ask, path)
    if (!isUnsentMessage(currentMessage))
      throw conflictProblem(
        'not-a-draft',
        `It is no draft any more (${describeMessageState(currentMessage)}): copy it, or take it back.`,
      )
    return toResult(
      await requestApiBody<McpMessage>(ask, { method: 'PUT', path, body: draft, headers: ifMatchHeader(etag) }),
    )
  },
})

const renderMessageTool = defineMcpTool({
  name: 'render_message',
  title: 'Show a message as a contact would get it',
  description:
    'Renders a message for one contact: subject, HTML and text, or what keeps it from being made. Nothing is sent.',
  effect: 'reads',
  input: Type.Object({ ...mcpMessageReference, contact: McpContactReference }, closedSchema),
  async run({ ask }, { contact: name, ...reference }) {
    const { id } = await loadReferencedContact(ask, name)
    const body = { [mcpMessageKinds[reference.kind ?? 'message'].recipientMember]: { type: 'id', value: id } }
    return {
      contact: id,
      rendered: wrapUntrusted(
        await requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(reference)}/render`, body }),
      ),
    }
  },
})

/** Renders a message without a particular contact. A refusal is a result too. */
async function renderPreview(ask: McpApiCaller, path: string): Promise<unknown> {
  const reply = await ask({ method: 'POST', path: `${path}/render`, body: {} })
  if (reply.status < 400) return reply.body
  if (reply.status !== 409) throw toApiProblem(reply)
  return { type: 'error', value: reply.body }
}

/** Renders each version without a contact, for messages that are not tested before they are validated. */
async function renderVersions(
  ask: McpApiCaller,
  reference: McpMessageReference,
  { versions = [] }: McpMessage,
): Promise<unknown[]> {
  const path = mcpMessagePath(reference)
  if (!mcpMessageKinds[reference.kind ?? 'message'].hasVersions)
    return [{ version: null, look: await renderPreview(ask, path) }]
  return Promise.all(
    versions.map(async ({ id: version }) => ({
      version,
      look: await renderPreview(ask, path + buildApiPath`/versions/${version}`),
    })),
  )
}

const messageFindingsTool = defineMcpTool({
  name: 'message_findings',
  title: 'What is wrong with a message',
  description:
    'Says how far a message is, and what its last test or validation found: errors that keep it from being sent, and findings of what is unwise. test_message looks anew. RCS actions and notifications keep no findings: `looks` has how they are made without a contact, with errors and warnings; the rest is said when they are validated.',
  effect: 'reads',
  input: Type.Object(mcpMessageReference, closedSchema),
  async run({ ask }, reference) {
    const message = await loadMcpMessage(ask, reference)
    const messageSummary = { id: message.id, state: describeMessageState(message) }
    const { kind = 'message' } = reference
    if (kind !== 'message')
      return { ...messageSummary, looks: wrapUntrusted(await renderVersions(ask, reference, message)) }
    return { ...messageSummary, lastValidation: wrapUntrusted(message.informations?.lastValidation ?? null) }
  },
})

const messageAudienceTool = defineMcpTool({
  name: 'message_audience',
  title: 'Who would get a message',
  description:
    'Counts who would get a message now, whom it cannot be sent to and why, and whom marketing pressure would stop.',
  effect: 'reads',
  input: Type.Object(mcpMessageReference, closedSchema),
  run: async ({ ask }, reference) =>
    requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(reference)}/audience`, body: {} }),
})

const messageReportTool = defineMcpTool({
  name: 'message_report',
  title: 'What became of a message',
  description: 'Reads the results of a message: sent, refused, cancelled and why, opens, clicks, unsubscribed, links.',
  effect: 'reads',
  input: Type.Object(
    {
      ...mcpMessageReference,
      start: Type.Optional(Type.String({ description: 'ISO 8601' })),
      end: Type.Optional(Type.String({ description: 'ISO 8601' })),
    },
    closedSchema,
  ),
  async run({ ask }, { start, end, ...reference }) {
    return { report: wrapUntrusted(await readApiResource(ask, `${mcpMessagePath(reference)}/report`, { start, end })) }
  },
})

/** Tools that read and create messages. */
export const mcpMessageTools = [
  listMessagesTool,
  readMessageTool,
  writeMessageTool,
  renderMessageTool,
  messageFindingsTool,
  messageAudienceTool,
  messageReportTool,
]
