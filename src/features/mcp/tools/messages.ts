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
      name: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
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
    'Creates a draft or, with `message`, changes one; nothing is sent. Email: {"type": "mailCampaign" or "mailMessage", "name", "content": {"subject", "html", "text"}, "scheduler": {"type": "asap", "segments": {"selected": [ids]}}}. SMS: "smsCampaign" or "smsMessage" with "content": {"textContent"}. RCS (kind rcs): "rcsCampaign" or "rcsMessage" with "settings": {"profile"} and "content": {"type": "text", "text"}. Notification (kind notification): {"type": "push-app", "name", "settings": {"application"}, "versions": [{"master": true, "content": {"title", "body"}}]}. Validated, active or sent messages cannot be changed.',
  effect: 'drafts',
  input: Type.Object(
    {
      kind: McpMessageKindName,
      message: Type.Optional(McpObjectId),
      draft: McpJsonObject('Members to write. Absent members keep their values.'),
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
        `The message is no longer a draft (${describeMessageState(currentMessage)}). Copy it, or withdraw its validation or activation.`,
      )
    return toResult(
      await requestApiBody<McpMessage>(ask, { method: 'PUT', path, body: draft, headers: ifMatchHeader(etag) }),
    )
  },
})

const renderMessageTool = defineMcpTool({
  name: 'render_message',
  title: 'Render a message for a contact',
  description:
    'Renders a message for one contact: subject, HTML and text, or the reason why it cannot be rendered. Nothing is sent.',
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
  title: 'List the findings of a message',
  description:
    'Returns the state of a message and the findings of its last test or validation: errors that prevent sending, and warnings. test_message checks the message again. RCS actions and notifications store no findings: `looks` shows them rendered without a contact, with errors and warnings; other findings appear when they are validated.',
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
  title: 'Count the audience of a message',
  description:
    'Counts the contacts who would get a message now, those who would not and why, and those whom marketing pressure would stop.',
  effect: 'reads',
  input: Type.Object(mcpMessageReference, closedSchema),
  run: async ({ ask }, reference) =>
    requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(reference)}/audience`, body: {} }),
})

const messageReportTool = defineMcpTool({
  name: 'message_report',
  title: 'Read the report of a message',
  description:
    'Reads the results of a message: sent, refused and cancelled messages with the reasons, opens, clicks, unsubscriptions and links.',
  effect: 'reads',
  input: Type.Object(
    {
      ...mcpMessageReference,
      start: Type.Optional(Type.String({ description: 'Start of the period, inclusive, in ISO 8601.' })),
      end: Type.Optional(Type.String({ description: 'End of the period, exclusive, in ISO 8601.' })),
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
