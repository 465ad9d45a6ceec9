import { reasonOf } from '../../lib/errors/reason.ts'
import type { HostGuard } from '../../lib/net/guarded-client.ts'
import type { Check, Gateway, OutgoingMail } from '../gateway.ts'
import { addBatch } from '../queue.ts'
import { advance, closeRelay, createRelay, stopOf } from './relay.ts'
import { closeSession, openSession, type SessionContext } from './session.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'

/** How long messages in flight may take when the gateway closes. */
const CLOSING_MS = 5000

/** Opens a connection as `send` would. */
async function check(context: SessionContext): Promise<Check> {
  const { host, port } = context.settings
  try {
    const session = await openSession(context)
    const tlsVersion = session.wire.tls?.getProtocol() ?? 'without TLS'
    const as = context.secrets ? `, authenticated as ${context.secrets.username}` : ''
    await closeSession(session)
    return { ok: true, detail: `${session.mta} answers at ${host}:${port}, ${tlsVersion}${as}` }
  } catch (error) {
    return { ok: false, detail: `${host}:${port}: ${reasonOf(error)}` }
  }
}

/** A relay over SMTP: connections are opened on demand, used for many messages, and closed when idle. `guard` checks each. */
export function openSmtpGateway(
  name: string,
  settings: SmtpSettings,
  secrets: SmtpSecrets | undefined,
  guard?: HostGuard,
): Gateway<OutgoingMail> {
  const relay = createRelay(settings, secrets, guard)
  return {
    name,
    kind: 'smtp',
    channel: 'email',
    async send(batch, listener) {
      const stop = stopOf(relay)
      if (stop !== undefined) return { taken: 0, stop }
      const result = addBatch(relay.queue, batch, listener)
      advance(relay)
      return result
    },
    check: () => check(relay.context),
    close: (graceMs = CLOSING_MS) => closeRelay(relay, graceMs),
  }
}
