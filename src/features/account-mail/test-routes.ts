import type { FastifyRequest } from 'fastify'
import { email } from '../../channels/email/facts.ts'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { badRequest, Problem } from '../../lib/errors/problem.ts'
import { addressKey } from '../../lib/text/mail-address.ts'
import { sendTestMessage } from './test-message.ts'
import { SendingTest, SendingTestBody } from './test-schemas.ts'

/** Where a test goes: of a person's mail to themselves, else to what is named. Throws 400, 403 `own-address`. */
function receiverOf({ person }: Pick<FastifyRequest, 'person'>, { channel, to }: SendingTestBody): string {
  const isMail = channel === email.name
  if (person !== null && isMail) {
    if (to != null && addressKey(to) !== addressKey(person.email))
      throw new Problem(403, 'own-address', 'A test mail goes to your own address: leave "to" out.')
    return person.email
  }
  if (to == null) throw badRequest('/to', isMail ? 'is required with a key' : 'is required: the number to send to')
  return to
}

/** A message to find out whether messages leave. */
export function sendingTestRoutes(app: App, context: Context): void {
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
      return sendTestMessage(context, account, { channel: body.channel, to: receiverOf(request, body) })
    },
  })
}
