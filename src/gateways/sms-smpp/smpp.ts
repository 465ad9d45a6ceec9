import type { TLSSocket } from 'node:tls'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayCheckResult, MessageGateway, OutgoingSms, SmsInbox } from '../gateway.ts'
import { enqueueDeliveryBatch } from '../queue.ts'
import { openSmppBind, type SmppBindContext, type SmppBindKind, SmppBindRefused } from './bind.ts'
import { receiveSmppPdu, type SmppReceiver, storeMultipartReply } from './incoming.ts'
import { closeSmppLink } from './link.ts'
import { advanceMessageCentre, closeMessageCentre, getMessageCentreStop, openMessageCentre } from './message-centre.ts'
import { createSmsReplyPartStore, flushIncompleteReplies } from './part-store.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'
import { smppStatusCodes } from './status.ts'

/** Time limit for messages in flight when the gateway closes. */
const CLOSE_GRACE_MS = 5000

const INCOMPLETE_CHECK_MS = 600_000

/** Services of the program that the gateway uses. */
export interface SmppGatewayContext {
  dataDir: string
  clock: Clock
  inbox?: SmsInbox | undefined
  /** Checks each connection; absent: it may go anywhere. */
  guard?: OutboundHostGuard | undefined
}

async function tryBind(kind: SmppBindKind, context: SmppBindContext): Promise<string> {
  const link = await openSmppBind(kind, context)
  const tlsVersion = 'getProtocol' in link.socket ? (link.socket as TLSSocket).getProtocol() : 'without TLS'
  await closeSmppLink(link)
  return `${kind}, ${tlsVersion}`
}

/**
 * Opens binds of the kinds `send` uses; receipts and replies they get are refused for now, and redelivered. A system id
 * that is bound as often as it may be is in use, and works.
 */
async function checkConnection(context: SmppBindContext): Promise<GatewayCheckResult> {
  const { host, port, bind } = context.settings
  const kinds: SmppBindKind[] = bind === 'pair' ? ['transmitter', 'receiver'] : ['transceiver']
  const accountSuffix = context.secrets === undefined ? '' : ` as ${context.secrets.systemId}`
  try {
    const openedBinds: string[] = []
    for (const kind of kinds) openedBinds.push(await tryBind(kind, context))
    return { ok: true, detail: `${host}:${port} accepts binds${accountSuffix}: ${openedBinds.join('; ')}` }
  } catch (error) {
    if (error instanceof SmppBindRefused && error.status === smppStatusCodes.ESME_RALYBND)
      return {
        ok: true,
        detail: `${host}:${port} responds; ${context.secrets?.systemId ?? 'the service'} is already bound`,
      }
    return { ok: false, detail: `${host}:${port}: ${formatErrorReason(error)}` }
  }
}

/** Passes on replies that stayed incomplete, now and periodically. Answers the function that stops it. */
function startPeriodicFlush(receiver: SmppReceiver): () => void {
  // What cannot be stored now is tried again the next time.
  const flushReplies = () =>
    flushIncompleteReplies(receiver.store, (parts) => storeMultipartReply(receiver, parts)).catch(() => undefined)
  void flushReplies()
  const timer = setInterval(flushReplies, INCOMPLETE_CHECK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * A message centre over SMPP 3.4. With an inbox it is bound at once and stays so; without one, transmitters are bound on
 * demand, and receipts and replies are left with the message centre.
 */
export function openSmppGateway(
  name: string,
  { settings, secrets }: { settings: SmppSettings; secrets: SmppSecrets | undefined },
  { dataDir, clock, inbox, guard }: SmppGatewayContext,
): MessageGateway<OutgoingSms> {
  const store = createSmsReplyPartStore(dataDir, [name, settings.host, settings.port, secrets?.systemId], clock)
  const receiver = inbox && { name, settings, inbox, clock, store }
  const serve = receiver && ((pdu: Parameters<typeof receiveSmppPdu>[1]) => receiveSmppPdu(receiver, pdu))
  const centre = openMessageCentre(name, { settings, secrets }, { clock, serve, guard })
  const stopPassingOn = receiver && startPeriodicFlush(receiver)
  if (inbox !== undefined) advanceMessageCentre(centre)
  return {
    name,
    kind: 'sms-smpp',
    channel: 'sms',
    async send(batch, listener) {
      const stop = getMessageCentreStop(centre)
      if (stop !== undefined) return { taken: 0, stop }
      const result = enqueueDeliveryBatch(centre.submitter.queue, batch, listener)
      advanceMessageCentre(centre)
      return result
    },
    check: () => checkConnection(centre.context),
    async close(graceMs = CLOSE_GRACE_MS) {
      stopPassingOn?.()
      await closeMessageCentre(centre, graceMs)
    },
  }
}
