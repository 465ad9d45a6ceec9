import { Type } from 'typebox'
import { badRequest } from '../../../lib/errors/problem.ts'
import { answerTo, at } from '../ask.ts'
import { acting, confirmed, type Desk, Id, me, tool } from '../tool.ts'
import { ofOthers } from '../untrusted.ts'
import { ContactName, contactNamed } from './contacts.ts'
import { KindName, kinds, pathOf, readMessage, stateInWords } from './kinds.ts'

/** How long a test is waited for, in seconds. */
const WAIT_SECONDS = 20

const input = acting({
  kind: KindName,
  message: Id,
  address: Type.Optional(
    Type.String({
      maxLength: 254,
      description:
        'of an email or SMS: absent is the own one of the person who is signed in, and a key has none; of RCS: a number (E.164) in place of the contact’s; a notification takes none',
    }),
  ),
  contact: Type.Optional(ContactName),
})

interface Asked {
  kind?: keyof typeof kinds
  message: string | number
  address?: string
  contact?: string
  confirmation?: string
}

/** Has the proofs of a test sent, and says what it found. */
async function testTo({ ask }: Desk, message: string | number, address: string): Promise<unknown> {
  const body = { fortest: true, mediaForTest: address, campaignAnalyser: true }
  const headers = { prefer: `wait=${WAIT_SECONDS}` }
  await answerTo(ask, { method: 'POST', path: at`/actions/${message}/validation`, body, headers })
  const tested = await readMessage(ask, { message })
  return {
    ...{ id: tested.id, state: stateInWords(tested) },
    lastValidation: ofOthers(tested.informations?.lastValidation ?? null),
  }
}

/** Who may have proofs sent: of people those who write, as the interface asks. */
function confirming({ person }: Awaited<ReturnType<typeof me>>) {
  return { tool: 'test_message', right: person ? 'write' : 'send' } as const
}

/** A test of an email or SMS: to an address, which is the own one of a person without a confirmation. */
async function testByAddress(desk: Desk, args: Asked): Promise<unknown> {
  if (args.contact !== undefined) throw badRequest('contact', 'is of tests of RCS actions and notifications')
  const caller = await me(desk)
  const own = caller.person?.email
  const address = args.address ?? own
  if (address === undefined) throw badRequest('address', 'is needed: a key has no address of its own')
  if (own !== undefined && address.toLowerCase() === own.toLowerCase()) return testTo(desk, args.message, address)
  const object = await readMessage(desk.ask, args)
  const pending = { will: 'send a proof to the address that was given', count: 1, of: 'addresses' }
  return confirmed(desk, { ...confirming(caller), args, object, ...pending }, () => testTo(desk, args.message, address))
}

/** A test of an RCS action or a notification: to a contact, of RCS to a number with the contact's data. */
async function testByContact(desk: Desk, kind: 'rcs' | 'notification', args: Asked): Promise<unknown> {
  const { address, contact: name } = args
  if (name === undefined)
    throw badRequest('contact', 'is needed: an RCS action or notification is tested with a contact')
  if (kind === 'notification' && address !== undefined)
    throw badRequest('address', 'is of no notification: it goes to the devices of the contact')
  const message = await readMessage(desk.ask, args)
  const contact = await contactNamed(desk.ask, name)
  const will = address === undefined ? 'send a proof to the contact' : 'send a proof to the number that was given'
  const pending = { will, object: { message, contact }, count: 1, of: address === undefined ? 'contacts' : 'numbers' }
  return confirmed(desk, { ...confirming(await me(desk)), args, ...pending }, () => {
    const recipient = { type: 'id', value: contact.id }
    const body =
      kind === 'rcs'
        ? { recipient, mediaForTest: address ?? null }
        : { recipient: { type: 'contact', value: recipient } }
    return answerTo(desk.ask, { method: 'POST', path: `${pathOf(args)}/${kinds[kind].test}`, body })
  })
}

const testMessage = tool({
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
export const proofTools = [testMessage]
