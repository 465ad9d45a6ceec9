import type { TLSSocket } from 'node:tls'
import { reasonOf } from '../../lib/errors/reason.ts'
import type { HostGuard } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Check, Gateway, Inbox, OutgoingSms } from '../gateway.ts'
import { addBatch } from '../queue.ts'
import { type BindContext, type BindKind, BindRefused, openBind } from './bind.ts'
import { type Receiver, receive, storeReply } from './incoming.ts'
import { closeLink } from './link.ts'
import { advance, closeMessageCentre, openMessageCentre, stopOf } from './message-centre.ts'
import { partStore, passOnIncomplete } from './part-store.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'
import { status } from './status.ts'

/** How long messages in flight may take when the gateway closes. */
const CLOSING_MS = 5000

const INCOMPLETE_CHECK_MS = 600_000

/** Services of the program that the gateway uses. */
export interface SmppContext {
  dataDir: string
  clock: Clock
  inbox?: Inbox | undefined
  /** Checks each connection; absent: it may go anywhere. */
  guard?: HostGuard | undefined
}

async function tryBind(kind: BindKind, context: BindContext): Promise<string> {
  const link = await openBind(kind, context)
  const tlsVersion = 'getProtocol' in link.socket ? (link.socket as TLSSocket).getProtocol() : 'without TLS'
  await closeLink(link)
  return `${kind}, ${tlsVersion}`
}

/**
 * Opens binds of the kinds `send` uses; receipts and replies they get are refused for now, and redelivered. A system id
 * that is bound as often as it may be is in use, and works.
 */
async function check(context: BindContext): Promise<Check> {
  const { host, port, bind } = context.settings
  const kinds: BindKind[] = bind === 'pair' ? ['transmitter', 'receiver'] : ['transceiver']
  const as = context.secrets === undefined ? '' : ` as ${context.secrets.systemId}`
  try {
    const bound: string[] = []
    for (const kind of kinds) bound.push(await tryBind(kind, context))
    return { ok: true, detail: `${host}:${port} lets us bind${as}: ${bound.join('; ')}` }
  } catch (error) {
    if (error instanceof BindRefused && error.status === status.ESME_RALYBND)
      return { ok: true, detail: `${host}:${port} answers; ${context.secrets?.systemId ?? 'we'} is bound already` }
    return { ok: false, detail: `${host}:${port}: ${reasonOf(error)}` }
  }
}

/** Passes on replies that stayed incomplete, now and periodically. Answers the function that stops it. */
function passOnPeriodically(receiver: Receiver): () => void {
  // What cannot be stored now is tried again the next time.
  const clear = () => passOnIncomplete(receiver.store, (parts) => storeReply(receiver, parts)).catch(() => undefined)
  void clear()
  const timer = setInterval(clear, INCOMPLETE_CHECK_MS).unref()
  return () => clearInterval(timer)
}

/**
 * A message centre over SMPP 3.4. With an inbox it is bound at once and stays so; without one, transmitters are bound on
 * demand, and receipts and replies are left with the message centre.
 */
export function openSmppGateway(
  name: string,
  { settings, secrets }: { settings: SmppSettings; secrets: SmppSecrets | undefined },
  { dataDir, clock, inbox, guard }: SmppContext,
): Gateway<OutgoingSms> {
  const store = partStore(dataDir, [name, settings.host, settings.port, secrets?.systemId], clock)
  const receiver = inbox && { name, settings, inbox, clock, store }
  const serve = receiver && ((pdu: Parameters<typeof receive>[1]) => receive(receiver, pdu))
  const centre = openMessageCentre(name, { settings, secrets }, { clock, serve, guard })
  const stopPassingOn = receiver && passOnPeriodically(receiver)
  if (inbox !== undefined) advance(centre)
  return {
    name,
    kind: 'sms-smpp',
    channel: 'sms',
    async send(batch, listener) {
      const stop = stopOf(centre)
      if (stop !== undefined) return { taken: 0, stop }
      const result = addBatch(centre.submitter.queue, batch, listener)
      advance(centre)
      return result
    },
    check: () => check(centre.context),
    async close(graceMs = CLOSING_MS) {
      stopPassingOn?.()
      await closeMessageCentre(centre, graceMs)
    },
  }
}
