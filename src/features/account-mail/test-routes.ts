import type { FastifyRequest } from 'fastify'
import { getChannelTraits } from '../../channels/channel-traits.ts'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { badRequestProblem, Problem } from '../../lib/errors/problem.ts'
import { toMailAddressKey } from '../../lib/text/mail-address.ts'
import { sendTestMessage } from './test-message.ts'
import { SendingTest, SendingTestBody } from './test-schemas.ts'

/**
 * Resolves the recipient of a test: a user can send mail only to themselves, everything else is sent to the named address. Throws 400, 403
 * `own-address`.
 */
function resolveTestRecipient({ person }: Pick<FastifyRequest, 'person'>, { channel, to }: SendingTestBody): string {
  const { userAddress } = getChannelTraits(channel)
  if (person !== null && userAddress !== null) {
    const ownAddress = person[userAddress]
    if (to != null && toMailAddressKey(to) !== toMailAddressKey(ownAddress))
      throw new Problem(403, 'own-address', 'A test email goes to your own address. Leave out "to".')
    return ownAddress
  }
  if (to == null)
    throw badRequestProblem(
      '/to',
      userAddress === null ? 'is required: the phone number to send to' : 'is required with an API key',
    )
  return to
}

/** A message to find out whether messages leave. */
export function sendingTestRoutes(app: HttpApp, context: ServiceContext): void {
  app.post('/settings/sending/test', {
    config: { right: 'send', audit: { untold: 'a test message changes nothing' } },
    schema: {
      tags: ['settings'],
      summary: 'Send a test message',
      operationId: 'sendTestMessage',
      refusals: { 403: 'own-address', 409: 'sender' },
      description:
        'Sends one message with the default sender profile of the channel, and returns the answer of the receiving side within 20 seconds. Users can send test emails to their own address only. The message writes no event and is not retried.',
      body: SendingTestBody,
      response: { 200: SendingTest },
    },
    handler: (request) => {
      const { account, body } = request
      return sendTestMessage(context, account, { channel: body.channel, to: resolveTestRecipient(request, body) })
    },
  })
}
