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
  title: 'Send a campaign or release a message',
  description:
    'Validates a message for production, or activates a notification: a campaign is sent to its audience at its scheduled time; a message on demand can be sent from then on. Requires the right to send. The first call sends nothing and returns a confirmation, bound to the present state of the message and the number of recipients, valid once within 5 minutes; a second call with it carries out the validation.',
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
      of: 'contacts in its audience',
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
    'Sends a validated message to one contact. Requires the right to send. The first call sends nothing and returns a confirmation, valid once within 5 minutes; a second call with it sends the message.',
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
  kind: Type.Optional(
    Type.Enum(['message', 'rcs'], { description: '`message` (default): email and SMS. `rcs`: RCS.' }),
  ),
  message: McpObjectId,
}

const pauseCampaignTool = defineMcpTool({
  name: 'pause_campaign',
  title: 'Pause a campaign',
  description:
    'Pauses the sending of a campaign immediately, until it is resumed. Requires the right to send, and no confirmation.',
  effect: 'drafts',
  input: Type.Object(pausableReference, { additionalProperties: false }),
  async run({ ask }, args) {
    await requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(args)}/pause` })
    return { paused: true }
  },
})

const resumeCampaignTool = defineMcpTool({
  name: 'resume_campaign',
  title: 'Resume a campaign',
  description:
    'Resumes a paused campaign, which sends its remaining messages. Requires the right to send. The first call changes nothing and returns a confirmation, valid once within 5 minutes; a second call with it resumes the campaign.',
  effect: 'acts',
  input: confirmableArguments(pausableReference),
  async run(desk, args) {
    const targetObject = await loadMcpMessage(desk.ask, args)
    const { pending: count = 0 } = (targetObject as { monitor?: { pending?: number } | null }).monitor ?? {}
    const pendingCall = { right: 'send', will: 'resume the campaign', of: 'waiting messages' } as const
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
  title: 'Delete an object',
  description:
    'Deletes a contact, segment, message, notification or workflow. The contacts of a segment are not deleted. Requires the right to write. The first call deletes nothing and returns a confirmation, bound to the present state of the object, valid once within 5 minutes; a second call with it deletes the object.',
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
    const countedText = args.type === 'segment' ? 'contacts in the segment, which are not deleted' : 'objects'
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
  title: 'Request an approval',
  description:
    'Requests an approval if the account requires one (403 approval-required): asks the users with the right to send to validate a message or RCS action, or to activate a notification or workflow, in its present state. Nothing is sent until another user approves, which no tool can do. Requires the right to write.',
  effect: 'drafts',
  input: Type.Object(
    {
      type: Type.Enum(['message', 'rcs', 'notification', 'workflow']),
      id: McpObjectId,
      comment: Type.Optional(Type.String({ maxLength: 4000, description: 'Comment for the users who decide.' })),
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
