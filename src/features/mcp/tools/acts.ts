import { Type } from 'typebox'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { ifMatchHeader, type McpApiCaller, readTaggedResource, requestApiBody } from '../ask.ts'
import { confirmableArguments, defineMcpTool, McpObjectId, runWithConfirmation, toolArguments } from '../tool.ts'
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
import { checkContactSend, checkMessageRelease, type McpAudience } from './message-checks.ts'

function loadAudience(ask: McpApiCaller, message: McpMessageReference): Promise<McpAudience> {
  return requestApiBody<McpAudience>(ask, { method: 'POST', path: `${mcpMessagePath(message)}/audience`, body: {} })
}

const sendCampaignTool = defineMcpTool({
  name: 'send_campaign',
  title: 'Send a campaign or release a message',
  description:
    'Releases a message: a campaign is sent to its audience at its scheduled time, a message on demand can be sent from then on. Email and SMS are tested first, with test_message.',
  effect: 'acts',
  input: confirmableArguments(mcpMessageReference),
  async run(desk, args) {
    const { kind = 'message' } = args
    const { body: targetObject, etag } = await readTaggedResource<McpMessage>(desk.ask, mcpMessagePath(args))
    const audience = await loadAudience(desk.ask, args)
    const { operation, body, will, asksApproval } = mcpMessageKinds[kind].release
    const pendingCall = {
      right: 'send',
      asksApproval,
      will,
      object: targetObject,
      count: audience.net,
      of: 'contacts in its audience',
      check: () => checkMessageRelease(desk, args, targetObject, audience),
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
  description: 'Sends a released message on demand to one contact.',
  effect: 'acts',
  input: confirmableArguments({ ...mcpMessageReference, contact: McpContactReference }),
  async run(desk, args) {
    const message = await loadMcpMessage(desk.ask, args)
    const contact = await loadReferencedContact(desk.ask, args.contact)
    const targetObject = { message, contact }
    const pendingCall = {
      right: 'send',
      will: 'send the message to the contact',
      count: 1,
      of: 'contacts',
      check: () => checkContactSend(desk, args, message, contact),
    } as const
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
  id: McpObjectId,
}

const pauseCampaignTool = defineMcpTool({
  name: 'pause_campaign',
  title: 'Pause a campaign',
  description: 'Pauses the sending of a campaign at once, until it is resumed.',
  effect: 'drafts',
  input: toolArguments(pausableReference),
  async run({ ask }, args) {
    await requestApiBody(ask, { method: 'POST', path: `${mcpMessagePath(args)}/pause` })
    return { paused: true }
  },
})

const resumeCampaignTool = defineMcpTool({
  name: 'resume_campaign',
  title: 'Resume a campaign',
  description: 'Resumes a paused campaign, which sends its remaining messages.',
  effect: 'acts',
  input: confirmableArguments(pausableReference),
  async run(desk, args) {
    const targetObject = await loadMcpMessage(desk.ask, args)
    const { pending: count = 0 } = (targetObject as { monitor?: { pending?: number } | null }).monitor ?? {}
    const pendingCall = {
      right: 'send',
      will: 'resume the campaign',
      of: 'waiting messages',
      async check() {
        if (targetObject.informations?.paused === true) return undefined
        throw conflictProblem('action-state', `The campaign ${args.id} is not paused.`)
      },
    } as const
    return runWithConfirmation(
      desk,
      { tool: 'resume_campaign', args, object: targetObject, count, ...pendingCall },
      () => requestApiBody(desk.ask, { method: 'DELETE', path: `${mcpMessagePath(args)}/pause` }),
    )
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
    'Asks the users who may send to approve the release of a message or the activation of a workflow, as it is now. Another user decides; no tool can.',
  effect: 'drafts',
  input: toolArguments({
    kind: Type.Enum(['message', 'rcs', 'notification', 'workflow'], { description: '`message`: email and SMS.' }),
    id: McpObjectId,
    comment: Type.Optional(Type.String({ maxLength: 4000, description: 'Comment for the users who decide.' })),
  }),
  async run({ ask }, { kind, ...approvalRequest }) {
    const body = { type: kind === 'message' ? 'action' : kind, ...approvalRequest }
    const createdApproval = await requestApiBody<Approval>(ask, { method: 'POST', path: '/approvals', body })
    const { id, state, audience } = createdApproval
    return { id, state, audience, approval: wrapUntrusted(createdApproval) }
  },
})

/** Tools that send, pause and request approvals. */
export const mcpSendingTools = [
  sendCampaignTool,
  sendToContactTool,
  pauseCampaignTool,
  resumeCampaignTool,
  requestApprovalTool,
]
