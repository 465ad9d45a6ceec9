import type { FastifyRequest } from 'fastify'
import { emailChannelTraits } from '../../channels/email/traits.ts'
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
  const isEmailChannel = channel === emailChannelTraits.name
  if (person !== null && isEmailChannel) {
    if (to != null && toMailAddressKey(to) !== toMailAddressKey(person.email))
      throw new Problem(403, 'own-address', 'A test mail goes to your own address: leave "to" out.')
    return person.email
  }
  if (to == null)
    throw badRequestProblem('/to', isEmailChannel ? 'is required with a key' : 'is required: the number to send to')
  return to
}

/** A message to find out whether messages leave. */
export function sendingTestRoutes(app: HttpApp, context: ServiceContext): void {
  app.post('/settings/sending/test', {
    config: { right: 'send', audit: { untold: 'a test message changes nothing' } },
    schema: {
      tags: ['settings'],
      summary: 'send one test message',
      description: 'At once, within 20 s; it is no event and is not tried again.',
      body: SendingTestBody,
      response: { 200: SendingTest },
    },
    handler: (request) => {
      const { account, body } = request
      return sendTestMessage(context, account, { channel: body.channel, to: resolveTestRecipient(request, body) })
    },
  })
}
