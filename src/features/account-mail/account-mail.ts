import { randomInt, randomUUID } from 'node:crypto'
import { composeMail, toMailPieces } from '../../channels/email/mime/mime.ts'
import { buildAttachmentPart, type MimeAttachment } from '../../channels/email/mime/mime-parts.ts'
import { signMailOffThread } from '../../channels/email/mime/signing.ts'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { ServiceContext } from '../../context.ts'
import type {
  GatewayChannelName,
  GatewayOutcome,
  MessageGateway,
  OutgoingMessage,
  SendBatchResult,
} from '../../gateways/gateway.ts'
import { readDestinationTable } from '../../gateways/smtp-direct/destinations-file.ts'
import type { AccountId } from '../../lib/account.ts'
import { readConfiguredGateways } from '../../sending/gateway-registry/configured-gateways.ts'
import { openGatewayRegistry } from '../../sending/gateway-registry/gateway-registry.ts'
import { openSenderSigningKeys } from '../../sending/prepare/signing-keys.ts'
import { readSendingSettings, resolveDefaultDomain } from '../accounts/sending-settings.ts'

type AccountMailContext = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** A mail to the people of an account, not to its contacts: it is no event, and nothing in it is tracked. */
export interface AccountMail {
  account: AccountId
  to: readonly string[]
  subject: string
  text: string
  attachments?: readonly MimeAttachment[]
  /** It holds a link that lets somebody in: where it is captured, operators alone see it. */
  isConfidential?: boolean
}

/** Outcome of a mail. `captured`: nobody received it. */
export type AccountMailOutcome = 'sent' | 'captured' | 'refused'

/** Not taken by the gateway this time. */
export class MailDeferredError extends Error {}

/** Outcome of messages that were handed over to the gateway of an account. */
export interface GatewayHandoverResult extends Pick<SendBatchResult, 'stop'> {
  gateway: Pick<MessageGateway, 'name' | 'kind'>
  outcomes: GatewayOutcome[]
}

/** Hands messages to the gateway of an account and channel. `signal` cuts the connections. */
export async function handOverToGateway(
  { db, config, masterKeys, clock, log }: AccountMailContext,
  {
    account,
    channel,
    messages,
  }: { account: AccountId; channel: GatewayChannelName; messages: readonly OutgoingMessage[] },
  signal?: AbortSignal,
): Promise<GatewayHandoverResult> {
  const gatewayRegistry = openGatewayRegistry({
    db,
    config,
    masterKeys,
    clock,
    log,
    configured: readConfiguredGateways(config, log),
    destinations: readDestinationTable(config.destinationsFile),
  })
  const closeRegistry = () => void gatewayRegistry.close(0)
  try {
    const outcomes: GatewayOutcome[] = []
    const gateway = await gatewayRegistry.gatewayOf(account, channel)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', closeRegistry)
    const { stop: stopReason } = await gateway.send(messages, {
      outcome: (sendOutcome) => outcomes.push(sendOutcome),
      ...(signal && { signal }),
    })
    const { name, kind } = gateway
    return { gateway: { name, kind }, outcomes, ...(stopReason && { stop: stopReason }) }
  } finally {
    signal?.removeEventListener('abort', closeRegistry)
    await gatewayRegistry.close(signal?.aborted ? 0 : undefined)
  }
}

/**
 * Sends a mail through the account's mail gateway. Throws MailDeferredError when it is to be tried again; a refusal by any recipient
 * is logged.
 * `signal` cuts the connections.
 */
export async function sendAccountMail(
  context: AccountMailContext,
  { account, to, subject, text, attachments = [], isConfidential = false }: AccountMail,
  signal?: AbortSignal,
): Promise<AccountMailOutcome> {
  const { db, config, clock, log } = context
  const domain = resolveDefaultDomain(await readSendingSettings(db, account), config.publicUrl)
  const parts = attachments.map(buildAttachmentPart)
  const signingKeys = await openSenderSigningKeys(context).of(account)
  const pendingMails = to.map(async (address) => {
    // Of no row: it only has to differ from that of other mails of the moment.
    const id = randomInt(2 ** 40)
    const messageStamp = randomUUID()
    const composedMail = composeMail({
      from: { address: `no-reply@${domain}`, label: 'Stentor' },
      to: { address },
      subject,
      timeMs: clock.now(),
      stamp: messageStamp,
      stampToken: messageStamp,
      purpose: 'service',
      content: { format: 3, text },
      attachments: parts,
    })
    if ('invalidAddress' in composedMail) return []
    const signedMail = await signMailOffThread(composedMail, signingKeys.get(composedMail.domain) ?? [])
    const envelope = { from: '', to: address }
    return [{ id, envelope, bytes: toMailPieces(signedMail), smtputf8: composedMail.smtputf8, isConfidential }]
  })
  const builtMails = await Promise.all(pendingMails)
  const {
    gateway,
    outcomes,
    stop: stopReason,
  } = await handOverToGateway(
    context,
    { account, channel: emailChannelTraits.name, messages: builtMails.flat() },
    signal,
  )
  for (const sentOutcome of outcomes) {
    if (sentOutcome.result === 'refused') log.warn({ account, reply: sentOutcome.enhanced }, 'account mail refused')
  }
  // Recipients that have it already get it once more: better than never. What we cut ourselves is in doubt by our own fault.
  const isPending = ({ result }: GatewayOutcome) =>
    result === 'deferred' || result === 'returned' || (result === 'doubtful' && signal?.aborted)
  if (stopReason || outcomes.some(isPending)) throw new MailDeferredError('the gateway deferred the mail')
  if (gateway.kind === 'capture') return 'captured'
  const isAllAccepted = outcomes.length > 0 && outcomes.every(({ result }) => result === 'accepted')
  return isAllAccepted ? 'sent' : 'refused'
}
