import { randomInt, randomUUID } from 'node:crypto'
import { email } from '../../channels/email/facts.ts'
import { composeMail, mailPieces } from '../../channels/email/mime/mime.ts'
import { type Attachment, attachmentPart } from '../../channels/email/mime/mime-parts.ts'
import { signMailAside } from '../../channels/email/mime/signing.ts'
import type { Context } from '../../context.ts'
import type { Gateway, GatewayChannel, GatewayOutcome, Outgoing, SendResult } from '../../gateways/gateway.ts'
import { readDestinations } from '../../gateways/smtp-direct/destinations-file.ts'
import type { AccountId } from '../../lib/account.ts'
import { readConfigured } from '../../sending/gateways/configured-gateways.ts'
import { openGatewayRegistry } from '../../sending/gateways/gateway-registry.ts'
import { openSigningKeys } from '../../sending/prepare/signing-keys.ts'
import { defaultDomain, readSendingSettings } from '../accounts/sending-settings.ts'

type MailContext = Pick<Context, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** A mail to the people of an account, not to its contacts: it is no event, and nothing in it is tracked. */
export interface AccountMail {
  account: AccountId
  to: readonly string[]
  subject: string
  text: string
  attachments?: readonly Attachment[]
  /** It holds a link that lets somebody in: where it is captured, operators alone see it. */
  isConfidential?: boolean
}

/** What became of a mail: with `captured` nobody got it. */
export type MailOutcome = 'sent' | 'captured' | 'refused'

/** Not taken by the gateway this time. */
export class MailDeferred extends Error {}

/** What came of messages that were handed to the gateway of an account. */
export interface HandedOver extends Pick<SendResult, 'stop'> {
  gateway: Pick<Gateway, 'name' | 'kind'>
  outcomes: GatewayOutcome[]
}

/** Hands messages to the gateway of an account and channel. `signal` cuts the connections. */
export async function handOver(
  { db, config, masterKeys, clock, log }: MailContext,
  { account, channel, messages }: { account: AccountId; channel: GatewayChannel; messages: readonly Outgoing[] },
  signal?: AbortSignal,
): Promise<HandedOver> {
  const book = openGatewayRegistry({
    ...{ db, config, masterKeys, clock, log },
    configured: readConfigured(config, log),
    destinations: readDestinations(config.destinationsFile),
  })
  const cut = () => void book.close(0)
  try {
    const outcomes: GatewayOutcome[] = []
    const gateway = await book.gatewayOf(account, channel)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', cut)
    const { stop } = await gateway.send(messages, {
      outcome: (one) => outcomes.push(one),
      ...(signal && { signal }),
    })
    const { name, kind } = gateway
    return { gateway: { name, kind }, outcomes, ...(stop && { stop }) }
  } finally {
    signal?.removeEventListener('abort', cut)
    await book.close(signal?.aborted ? 0 : undefined)
  }
}

/**
 * Sends a mail through the account's mail gateway. Throws MailDeferred when it is to be tried again; a refusal by any recipient
 * is logged.
 * `signal` cuts the connections.
 */
export async function sendAccountMail(
  context: MailContext,
  { account, to, subject, text, attachments = [], isConfidential = false }: AccountMail,
  signal?: AbortSignal,
): Promise<MailOutcome> {
  const { db, config, clock, log } = context
  const domain = defaultDomain(await readSendingSettings(db, account), config.publicUrl)
  const parts = attachments.map(attachmentPart)
  const keys = await openSigningKeys(context).of(account)
  const making = to.map(async (address) => {
    // Of no row: it only has to differ from that of other mails of the moment.
    const id = randomInt(2 ** 40)
    const stamp = randomUUID()
    const mail = composeMail({
      from: { address: `no-reply@${domain}`, label: 'Stentor' },
      to: { address },
      subject,
      timeMs: clock.now(),
      stamp,
      stampToken: stamp,
      purpose: 'service',
      content: { format: 3, text },
      attachments: parts,
    })
    if ('invalidAddress' in mail) return []
    const signed = await signMailAside(mail, keys.get(mail.domain) ?? [])
    const envelope = { from: '', to: address }
    return [{ id, envelope, bytes: mailPieces(signed), smtputf8: mail.smtputf8, isConfidential }]
  })
  const mails = await Promise.all(making)
  const { gateway, outcomes, stop } = await handOver(
    context,
    { account, channel: email.name, messages: mails.flat() },
    signal,
  )
  for (const one of outcomes) {
    if (one.result === 'refused')
      log.warn({ account, reply: one.enhanced }, 'a mail to people of an account is refused')
  }
  // Recipients that have it already get it once more: better than never. What we cut ourselves is in doubt by our own fault.
  const isOpen = ({ result }: GatewayOutcome) =>
    result === 'deferred' || result === 'returned' || (result === 'doubtful' && signal?.aborted)
  if (stop || outcomes.some(isOpen)) throw new MailDeferred('the gateway takes it later')
  if (gateway.kind === 'capture') return 'captured'
  const isSent = outcomes.length > 0 && outcomes.every(({ result }) => result === 'accepted')
  return isSent ? 'sent' : 'refused'
}
