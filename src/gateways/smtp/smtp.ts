import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import type { GatewayCheckResult, MessageGateway, OutgoingMail } from '../gateway.ts'
import { enqueueDeliveryBatch } from '../queue.ts'
import { advanceSmtpRelay, closeRelay, createRelay, getSmtpRelayStop } from './relay.ts'
import { closeSmtpSession, openSmtpSession, type SmtpSessionContext } from './session.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'

/** Time limit for messages in flight when the gateway closes. */
const CLOSE_GRACE_MS = 5000

/** Opens a connection as `send` would. */
async function checkConnection(context: SmtpSessionContext): Promise<GatewayCheckResult> {
  const { host, port } = context.settings
  try {
    const session = await openSmtpSession(context)
    const tlsVersion = session.wire.tls?.getProtocol() ?? 'without TLS'
    const authenticationSuffix = context.secrets ? `, authenticated as ${context.secrets.username}` : ''
    await closeSmtpSession(session)
    return { ok: true, detail: `${session.mta} answers at ${host}:${port}, ${tlsVersion}${authenticationSuffix}` }
  } catch (error) {
    return { ok: false, detail: `${host}:${port}: ${formatErrorReason(error)}` }
  }
}

/** A relay over SMTP: connections are opened on demand, used for many messages, and closed when idle. `guard` checks each. */
export function openSmtpGateway(
  name: string,
  settings: SmtpSettings,
  secrets: SmtpSecrets | undefined,
  guard?: OutboundHostGuard,
): MessageGateway<OutgoingMail> {
  const relay = createRelay(settings, secrets, guard)
  return {
    name,
    kind: 'smtp',
    channel: 'email',
    async send(batch, listener) {
      const stop = getSmtpRelayStop(relay)
      if (stop !== undefined) return { taken: 0, stop }
      const result = enqueueDeliveryBatch(relay.queue, batch, listener)
      advanceSmtpRelay(relay)
      return result
    },
    check: () => checkConnection(relay.context),
    close: (graceMs = CLOSE_GRACE_MS) => closeRelay(relay, graceMs),
  }
}
