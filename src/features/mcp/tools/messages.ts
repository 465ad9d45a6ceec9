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
import { defineMcpTool, listLimitSchema, McpJsonObject, McpObjectId, searchTextSchema, toolArguments } from '../tool.ts'
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
  summarizeMessages,
} from './kinds.ts'

const listMessagesTool = defineMcpTool({
  name: 'list_messages',
  title: 'List messages',
  description: 'Lists campaigns and messages of a kind, newest first, with their states and results.',
  effect: 'reads',
  input: toolArguments({
    kind: McpMessageKindName,
    query: Type.Optional(searchTextSchema('Part of the name.', 200)),
    limit: listLimitSchema(200, 20),
  }),
  async run({ ask }, { kind = 'message', query: name, limit = 20 }) {
    const query = { name, limit, sort: '-creationDate', report: true }
    const messages = await readApiResource<object[]>(ask, mcpMessageKinds[kind].path, query)
    return { messages: wrapUntrusted(summarizeMessages(messages)) }
  },
})

const readMessageTool = defineMcpTool({
  name: 'read_message',
  title: 'Read a message',
  description: 'Reads a campaign or message: its state, settings, content and schedule.',
  effect: 'reads',
  input: toolArguments(mcpMessageReference),
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

const MESSAGE_DEFINITION =
  'Members to write; absent ones keep their values. Email: {"type": "mailCampaign" or "mailMessage", "name", "content": {"subject", "html", "text"}, "scheduler": {"type": "asap", "segments": {"selected": [ids]}}}; content.design takes a design instead of html. SMS: "smsCampaign" or "smsMessage" with "content": {"textContent"}. RCS: "rcsCampaign" or "rcsMessage" with "settings": {"profile"} and "content": {"type": "text", "text"}. Notification: {"type": "push-app", "name", "settings": {"application"}, "versions": [{"master": true, "content": {"title", "body"}}]}.'

const draftMessageTool = defineMcpTool({
  name: 'draft_message',
  title: 'Draft a message',
  description: 'Creates the draft of a campaign or message or, with `id`, changes one. Nothing is sent.',
  effect: 'drafts',
  input: toolArguments({
    kind: McpMessageKindName,
    id: Type.Optional(McpObjectId),
    definition: McpJsonObject(MESSAGE_DEFINITION),
  }),
  async run({ ask }, { kind = 'message', id, definition: body }) {
    const toResult = (saved: McpMessage) => ({ id: saved.id, state: describeMessageState(saved) })
    if (id === undefined)
      return toResult(await requestApiBody<McpMessage>(ask, { method: 'POST', path: mcpMessageKinds[kind].path, body }))
    const path = mcpMessagePath({ kind, id })
    const { body: currentMessage, etag } = await readTaggedResource<McpMessage>(ask, path)
    if (!isUnsentMessage(currentMessage))
      throw conflictProblem(
        'not-a-draft',
        `The message is no longer a draft: it is ${describeMessageState(currentMessage)}.`,
      )
    return toResult(await requestApiBody<McpMessage>(ask, { method: 'PUT', path, body, headers: ifMatchHeader(etag) }))
  },
})

const renderMessageTool = defineMcpTool({
  name: 'render_message',
  title: 'Render a message for a contact',
  description: 'Renders a message for one contact, or returns the reason why it cannot be rendered. Nothing is sent.',
  effect: 'reads',
  input: toolArguments({ ...mcpMessageReference, contact: McpContactReference }),
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
    'Returns the errors and warnings of the last test or validation. RCS and notifications store none: `looks` shows them rendered without a contact.',
  effect: 'reads',
  input: toolArguments(mcpMessageReference),
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
  description: 'Counts the contacts who would get a message now, and those who would not, with the reasons.',
  effect: 'reads',
  input: toolArguments(mcpMessageReference),
  run: async ({ ask }, reference) =>
    requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(reference)}/audience`, body: {} }),
})

/** Tools that read and draft messages. */
export const mcpMessageTools = [
  listMessagesTool,
  readMessageTool,
  draftMessageTool,
  renderMessageTool,
  messageFindingsTool,
  messageAudienceTool,
]
