import { Type } from 'typebox'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, requestApiBody } from '../ask.ts'
import {
  confirmableArguments,
  defineMcpTool,
  McpObjectId,
  type McpToolContext,
  readCallerIdentity,
  runWithConfirmation,
} from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import { loadReferencedContact, McpContactReference } from './contacts.ts'
import { describeMessageState, loadMcpMessage, McpMessageKindName, mcpMessageKinds, mcpMessagePath } from './kinds.ts'

/** How long a test is waited for, in seconds. */
const WAIT_SECONDS = 20

const input = confirmableArguments({
  kind: McpMessageKindName,
  message: McpObjectId,
  address: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'of an email or SMS: absent is the own one of the person who is signed in, and a key has none; of RCS: a number (E.164) in place of the contact’s; a notification takes none',
    }),
  ),
  contact: Type.Optional(McpContactReference),
})

interface Asked {
  kind?: keyof typeof mcpMessageKinds
  message: string | number
  address?: string
  contact?: string
  confirmation?: string
}

/** Has the proofs of a test sent, and says what it found. */
async function testTo({ ask }: McpToolContext, message: string | number, address: string): Promise<unknown> {
  const body = { fortest: true, mediaForTest: address, campaignAnalyser: true }
  const headers = { prefer: `wait=${WAIT_SECONDS}` }
  await requestApiBody(ask, { method: 'POST', path: buildApiPath`/actions/${message}/validation`, body, headers })
  const tested = await loadMcpMessage(ask, { message })
  return {
    ...{ id: tested.id, state: describeMessageState(tested) },
    lastValidation: wrapUntrusted(tested.informations?.lastValidation ?? null),
  }
}

/** Who may have proofs sent: of people those who write, as the interface asks. */
function confirming({ person }: Awaited<ReturnType<typeof readCallerIdentity>>) {
  return { tool: 'test_message', right: person ? 'write' : 'send' } as const
}

/** A test of an email or SMS: to an address, which is the own one of a person without a confirmation. */
async function testByAddress(desk: McpToolContext, args: Asked): Promise<unknown> {
  if (args.contact !== undefined) throw badRequestProblem('contact', 'is of tests of RCS actions and notifications')
  const caller = await readCallerIdentity(desk)
  const own = caller.person?.email
  const address = args.address ?? own
  if (address === undefined) throw badRequestProblem('address', 'is needed: a key has no address of its own')
  if (own !== undefined && address.toLowerCase() === own.toLowerCase()) return testTo(desk, args.message, address)
  const object = await loadMcpMessage(desk.ask, args)
  const pending = { will: 'send a proof to the address that was given', count: 1, of: 'addresses' }
  return runWithConfirmation(desk, { ...confirming(caller), args, object, ...pending }, () =>
    testTo(desk, args.message, address),
  )
}

/** A test of an RCS action or a notification: to a contact, of RCS to a number with the contact's data. */
async function testByContact(desk: McpToolContext, kind: 'rcs' | 'notification', args: Asked): Promise<unknown> {
  const { address, contact: name } = args
  if (name === undefined)
    throw badRequestProblem('contact', 'is needed: an RCS action or notification is tested with a contact')
  if (kind === 'notification' && address !== undefined)
    throw badRequestProblem('address', 'is of no notification: it goes to the devices of the contact')
  const message = await loadMcpMessage(desk.ask, args)
  const contact = await loadReferencedContact(desk.ask, name)
  const will = address === undefined ? 'send a proof to the contact' : 'send a proof to the number that was given'
  const pending = { will, object: { message, contact }, count: 1, of: address === undefined ? 'contacts' : 'numbers' }
  return runWithConfirmation(desk, { ...confirming(await readCallerIdentity(desk)), args, ...pending }, () => {
    const recipient = { type: 'id', value: contact.id }
    const body =
      kind === 'rcs'
        ? { recipient, mediaForTest: address ?? null }
        : { recipient: { type: 'contact', value: recipient } }
    return requestApiBody(desk.ask, {
      method: 'POST',
      path: `${mcpMessagePath(args)}/${mcpMessageKinds[kind].test}`,
      body,
    })
  })
}

const testMessage = defineMcpTool({
  name: 'test_message',
  title: 'Send a proof to oneself',
  description:
    'Sends a proof: of an email or SMS to an address, and looks for what is unwise in it; of an RCS action or notification to a contact, such as oneself. Needs the right to send, or of people the one to write. All but an email to the own address of a signed-in person needs a confirmation: the first call answers it, a second one with it sends.',
  effect: 'acts',
  input,
  run: async (desk, args) => {
    const { kind = 'message' } = args
    return kind === 'message' ? testByAddress(desk, args) : testByContact(desk, kind, args)
  },
})

/** What sends proofs. */
export const mcpProofTools = [testMessage]
