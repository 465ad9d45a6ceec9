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
import {
  describeMessageState,
  loadMcpMessage,
  type McpContactTest,
  type McpMessageKind,
  McpMessageKindName,
  mcpMessageKinds,
  mcpMessagePath,
} from './kinds.ts'
import { assertMessageRenders, assertTestable } from './message-checks.ts'

/** Maximum time a call waits for a test, in seconds. */
const TEST_WAIT_SECONDS = 20

const testInput = confirmableArguments({
  kind: McpMessageKindName,
  id: McpObjectId,
  address: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'Email address or number. Default: the email address of the signed-in user. RCS: number instead of that of the contact. Not for notifications.',
    }),
  ),
  contact: Type.Optional(McpContactReference),
})

interface TestRequest {
  kind?: McpMessageKind
  id: string | number
  address?: string
  contact?: string
  confirmation?: string
}

/** Has the proofs of a test sent, and says what it found. */
async function sendTest({ ask }: McpToolContext, id: string | number, address: string): Promise<unknown> {
  const body = { fortest: true, mediaForTest: address, campaignAnalyser: true }
  const headers = { prefer: `wait=${TEST_WAIT_SECONDS}` }
  await requestApiBody(ask, { method: 'POST', path: buildApiPath`/actions/${id}/validation`, body, headers })
  const testedMessage = await loadMcpMessage(ask, { id })
  return {
    id: testedMessage.id,
    state: describeMessageState(testedMessage),
    lastValidation: wrapUntrusted(testedMessage.informations?.lastValidation ?? null),
  }
}

/** The right required to send proofs: users need `write`, as in the API. */
function buildConfirmation({ person }: Awaited<ReturnType<typeof readCallerIdentity>>) {
  return { tool: 'test_message', right: person ? 'write' : 'send' } as const
}

/** A test of an email or SMS: to an address, which is the own one of a person without a confirmation. */
async function testByAddress(desk: McpToolContext, args: TestRequest): Promise<unknown> {
  if (args.contact !== undefined)
    throw badRequestProblem('contact', 'is only allowed for RCS actions and notifications')
  const caller = await readCallerIdentity(desk)
  const callerEmail = caller.person?.email
  const address = args.address ?? callerEmail
  if (address === undefined) throw badRequestProblem('address', 'is required: a key has no email address')
  if (callerEmail !== undefined && address.toLowerCase() === callerEmail.toLowerCase())
    return sendTest(desk, args.id, address)
  const testObject = await loadMcpMessage(desk.ask, args)
  const pendingCall = {
    will: 'send a proof to the given address',
    count: 1,
    of: 'addresses',
    async check() {
      await assertTestable(desk, testObject, address)
      return undefined
    },
  }
  return runWithConfirmation(desk, { ...buildConfirmation(caller), args, object: testObject, ...pendingCall }, () =>
    sendTest(desk, args.id, address),
  )
}

/** A test of an RCS action or a notification: to a contact, of RCS to a number with the contact's data. */
async function testByContact(desk: McpToolContext, test: McpContactTest, args: TestRequest): Promise<unknown> {
  const { address, contact: name } = args
  if (name === undefined)
    throw badRequestProblem('contact', 'is required: an RCS action or notification is tested with a contact')
  if (!test.takesAddress && address !== undefined)
    throw badRequestProblem('address', 'is not allowed for a notification, which goes to the devices of the contact')
  const message = await loadMcpMessage(desk.ask, args)
  const contact = await loadReferencedContact(desk.ask, name)
  const actionText = address === undefined ? 'send a proof to the contact' : 'send a proof to the given number'
  const pendingCall = {
    will: actionText,
    object: { message, contact },
    count: 1,
    of: address === undefined ? 'contacts' : 'numbers',
    async check() {
      if (address === undefined) await assertMessageRenders(desk.ask, args, contact)
      return undefined
    },
  }
  return runWithConfirmation(desk, { ...buildConfirmation(await readCallerIdentity(desk)), args, ...pendingCall }, () =>
    requestApiBody(desk.ask, {
      method: 'POST',
      path: `${mcpMessagePath(args)}/${test.operation}`,
      body: test.buildBody({ type: 'id', value: contact.id }, address),
    }),
  )
}

const testMessageTool = defineMcpTool({
  name: 'test_message',
  title: 'Send a proof',
  description:
    'Sends a proof of a message: of email and SMS to an address, with a check for problems, of RCS and notifications to a contact. An email to your own address needs no confirmation.',
  effect: 'acts',
  input: testInput,
  run: async (desk, args) => {
    const { contactTest } = mcpMessageKinds[args.kind ?? 'message']
    return contactTest ? testByContact(desk, contactTest, args) : testByAddress(desk, args)
  },
})

/** Tools that send proofs. */
export const mcpProofTools = [testMessageTool]
