import { Type } from 'typebox'
import { buildApiPath, ifMatchHeader, type McpApiCaller, readTaggedResource, requestApiBody } from '../ask.ts'
import { confirmableArguments, defineMcpTool, McpObjectId, runWithConfirmation } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'
import {
  describeMessageState,
  loadMcpMessage,
  type McpMessage,
  type McpMessageReference,
  mcpMessageKinds,
  mcpMessagePath,
  mcpMessageReference,
} from './kinds.ts'

interface MessageAudience {
  net: number
}

function loadAudience(ask: McpApiCaller, message: McpMessageReference): Promise<MessageAudience> {
  return requestApiBody<MessageAudience>(ask, { method: 'POST', path: `${mcpMessagePath(message)}/audience`, body: {} })
}

const sendCampaignTool = defineMcpTool({
  name: 'send_campaign',
  title: 'Validate for production, which sends',
  description:
    'Validates a message for production (activates a notification): a campaign goes out to its audience at its time; a message on demand can be sent from then on. Needs the right to send. The first call sends nothing and answers a confirmation bound to the message as it is and the number of recipients, good once for 5 minutes; a second call with it carries out.',
  effect: 'acts',
  input: confirmableArguments(mcpMessageReference),
  async run(desk, args) {
    const { kind = 'message' } = args
    const { body: targetObject, etag } = await readTaggedResource<McpMessage>(desk.ask, mcpMessagePath(args))
    const { net: count } = await loadAudience(desk.ask, args)
    const { operation, body, will, asksApproval } = mcpMessageKinds[kind].release
    const pendingCall = {
      right: 'send',
      asksApproval,
      will,
      object: targetObject,
      count,
      of: 'contacts of its audience',
    } as const
    return runWithConfirmation(desk, { tool: 'send_campaign', args, ...pendingCall }, async () => {
      const path = `${mcpMessagePath(args)}/${operation}`
      await requestApiBody(desk.ask, { method: 'POST', path, ...(body && { body }), headers: ifMatchHeader(etag) })
      const now = await loadMcpMessage(desk.ask, args)
      return { id: now.id, state: describeMessageState(now) }
    })
  },
})

const sendToContactTool = defineMcpTool({
  name: 'send_to_contact',
  title: 'Send a message to one contact',
  description:
    'Sends a validated message to one contact. Needs the right to send. The first call sends nothing and answers a confirmation, good once for 5 minutes; a second call with it sends.',
  effect: 'acts',
  input: confirmableArguments({ ...mcpMessageReference, contact: McpContactReference }),
  async run(desk, args) {
    const message = await loadMcpMessage(desk.ask, args)
    const contact = await loadReferencedContact(desk.ask, args.contact)
    const targetObject = { message, contact }
    const pendingCall = { right: 'send', will: 'send the message to the contact', count: 1, of: 'contacts' } as const
    return runWithConfirmation(desk, { tool: 'send_to_contact', args, object: targetObject, ...pendingCall }, () => {
      const recipient = { type: 'id', value: contact.id }
      const body = { [mcpMessageKinds[args.kind ?? 'message'].recipientMember]: recipient }
      return requestApiBody(desk.ask, { method: 'POST', path: `${mcpMessagePath(args)}/execution`, body })
    })
  },
})

/** Campaigns can be paused; what is sent on demand cannot. */
const pausableReference = {
  kind: Type.Optional(Type.Enum(['message', 'rcs'], { description: 'message (the default): email and SMS; rcs: RCS' })),
  message: McpObjectId,
}

const pauseCampaignTool = defineMcpTool({
  name: 'pause_campaign',
  title: 'Pause a campaign',
  description:
    'Stops the sending of a campaign at once, until it is resumed. Needs the right to send, and no confirmation.',
  effect: 'drafts',
  input: Type.Object(pausableReference, { additionalProperties: false }),
  async run({ ask }, args) {
    await requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(args)}/pause` })
    return { paused: true }
  },
})

const resumeCampaignTool = defineMcpTool({
  name: 'resume_campaign',
  title: 'Let a paused campaign go on',
  description:
    'Lets a paused campaign go on, which sends. Needs the right to send. The first call answers a confirmation, good once for 5 minutes; a second call with it carries out.',
  effect: 'acts',
  input: confirmableArguments(pausableReference),
  async run(desk, args) {
    const targetObject = await loadMcpMessage(desk.ask, args)
    const { pending: count = 0 } = (targetObject as { monitor?: { pending?: number } | null }).monitor ?? {}
    const pendingCall = { right: 'send', will: 'let the campaign go on', of: 'messages that wait' } as const
    return runWithConfirmation(
      desk,
      { tool: 'resume_campaign', args, object: targetObject, count, ...pendingCall },
      () => requestApiBody(desk.ask, { method: 'DELETE', path: `${mcpMessagePath(args)}/pause` }),
    )
  },
})

const OBJECT_PATHS = {
  contact: '/targets',
  segment: '/segments',
  workflow: '/scripting/workflows',
  message: mcpMessageKinds.message.path,
  rcs: mcpMessageKinds.rcs.path,
  notification: mcpMessageKinds.notification.path,
} as const

const deleteObjectTool = defineMcpTool({
  name: 'delete_object',
  title: 'Delete something',
  description:
    'Deletes a contact, segment (its contacts stay), message, notification or workflow. Needs the right to write. The first call deletes nothing and answers a confirmation bound to the object as it is, good once for 5 minutes; a second call with it deletes.',
  effect: 'acts',
  input: confirmableArguments({
    type: Type.Enum(['contact', 'segment', 'message', 'rcs', 'notification', 'workflow']),
    id: McpObjectId,
  }),
  async run(desk, args) {
    const path = OBJECT_PATHS[args.type] + buildApiPath`/${args.id}`
    const { body: targetObject, etag } = await readTaggedResource(desk.ask, path)
    const memberCount = (targetObject as { targetsCount?: number }).targetsCount
    const count = args.type === 'segment' ? (memberCount ?? 0) : 1
    const countedText = args.type === 'segment' ? 'contacts in the segment, which stay' : 'objects'
    const pendingCall = { right: 'write', will: `delete the ${args.type}`, count, of: countedText } as const
    return runWithConfirmation(desk, { tool: 'delete_object', args, object: targetObject, ...pendingCall }, () => {
      return requestApiBody(desk.ask, { method: 'DELETE', path, headers: ifMatchHeader(etag) })
    })
  },
})

interface Approval {
  id: string
  state: string
  audience: number | null
}

const requestApprovalTool = defineMcpTool({
  name: 'ask_approval',
  title: 'Ask another person for an approval',
  description:
    'Where the account asks for approvals (403 approval-required): asks the people who may send to validate a message or RCS action, or to activate a notification or workflow, as it is now. Nothing is sent until another person approves it, which no tool does. Needs the right to write.',
  effect: 'drafts',
  input: Type.Object(
    {
      type: Type.Enum(['message', 'rcs', 'notification', 'workflow']),
      id: McpObjectId,
      comment: Type.Optional(Type.String({ maxLength: 4000, description: 'for those who decide' })),
    },
    { additionalProperties: false },
  ),
  async run({ ask }, { type, ...approvalRequest }) {
    const body = { type: type === 'message' ? 'action' : type, ...approvalRequest }
    const createdApproval = await requestApiBody<Approval>(ask, { method: 'POST', path: '/approvals', body })
    const { id, state, audience } = createdApproval
    return { id, state, audience, approval: wrapUntrusted(createdApproval) }
  },
})

/** Tools that send, stop or delete. */
export const mcpSendingTools = [
  sendCampaignTool,
  sendToContactTool,
  pauseCampaignTool,
  resumeCampaignTool,
  requestApprovalTool,
  deleteObjectTool,
]
