import type { Logger } from 'pino'
import type { GatewayChannelName, MessageGateway, NamedGatewayKey } from '../../gateways/gateway.ts'
import type { GatewayContext } from '../../gateways/open.ts'
import type { AccountId } from '../../lib/account.ts'
import type { OwnedGateway } from './gateway-rows.ts'

/** Settings and secrets of a gateway that messages name. */
export interface NamedGatewaySettings extends Omit<OwnedGateway, 'account' | 'kind'> {
  /** Opens it, where its kind alone does not say how. Throws badRequestProblem or invalid. */
  open?(context: GatewayContext): Promise<MessageGateway>
}

/** What an account has under a key; undefined: nothing. */
export type GatewaySource = (account: AccountId, key: string) => Promise<NamedGatewaySettings | undefined>

/** Where the settings of named gateways are, by kind. */
export type GatewaySources = Readonly<Record<string, GatewaySource>>

/** How soon changed settings are noticed, and after how long without a message a gateway is closed. */
const REREAD_MS = 3000
const IDLE_MS = 60_000

interface Named {
  fingerprint: string
  gateway: MessageGateway
  readAt: number
  usedAt: number
  /** Batches on their way. */
  busy: number
}

/** Gateways that messages name: opened with their first message, closed when they are idle or their settings change. */
export interface NamedGateways {
  /** Undefined: there are no settings under the key, or they cannot be used, which is logged. */
  named(
    account: AccountId,
    channel: GatewayChannelName,
    reference: NamedGatewayKey,
  ): Promise<MessageGateway | undefined>
  /** Closes those that are idle. */
  sweep(): void
  close(graceMs?: number): Promise<void>
}

/** The gateway, which notes that it is used. */
function noting(gateway: MessageGateway, uses: Pick<Named, 'usedAt' | 'busy'>): MessageGateway {
  return {
    name: gateway.name,
    kind: gateway.kind,
    channel: gateway.channel,
    ...(gateway.isIdempotent && { isIdempotent: true }),
    async send(batch, listener) {
      uses.busy++
      try {
        return await gateway.send(batch, listener)
      } finally {
        uses.busy--
        uses.usedAt = performance.now()
      }
    },
    check: () => gateway.check(),
    close: (graceMs) => gateway.close(graceMs),
  }
}

/** `open` opens the gateway of a row; it throws when settings are wrong. */
export function openNamedGateways({
  sources,
  open,
  log,
}: {
  sources: GatewaySources
  open(row: OwnedGateway & Pick<NamedGatewaySettings, 'open'>): Promise<MessageGateway>
  log: Logger
}): NamedGateways {
  const known = new Map<string, Named>()
  const reading = new Map<string, Promise<MessageGateway | undefined>>()

  function drop(key: string): void {
    const gone = known.get(key)
    known.delete(key)
    // What is under way has its outcome first.
    gone?.gateway.close().catch((error) => log.warn({ err: error }, 'gateway not closed'))
  }

  async function read(
    place: string,
    account: AccountId,
    channel: GatewayChannelName,
    { kind, key }: NamedGatewayKey,
  ): Promise<MessageGateway | undefined> {
    const found = await sources[kind]?.(account, key)
    const row = found?.channel === channel ? { ...found, kind, account } : undefined
    const fingerprint = JSON.stringify(row)
    const one = known.get(place)
    if (one && one.fingerprint === fingerprint) {
      one.readAt = performance.now()
      return one.gateway
    }
    drop(place)
    if (!row) return undefined
    try {
      const uses = { usedAt: performance.now(), busy: 0, readAt: performance.now(), fingerprint }
      const gateway = noting(await open(row), uses)
      known.set(place, Object.assign(uses, { gateway }))
      return gateway
    } catch (error) {
      log.error({ gateway: row.name, reason: error instanceof Error ? error.message : '' }, 'gateway cannot be opened')
      return undefined
    }
  }

  return {
    async named(account, channel, reference) {
      const place = JSON.stringify([account, channel, reference.kind, reference.key])
      const one = known.get(place)
      if (one && performance.now() - one.readAt <= REREAD_MS) {
        one.usedAt = performance.now()
        return one.gateway
      }
      // Callers that come meanwhile wait for the same reading.
      const pending =
        reading.get(place) ?? read(place, account, channel, reference).finally(() => reading.delete(place))
      reading.set(place, pending)
      return pending
    },
    sweep() {
      for (const [place, { busy, usedAt }] of known) if (busy === 0 && performance.now() - usedAt > IDLE_MS) drop(place)
    },
    async close(graceMs) {
      await Promise.all([...known.values()].map(({ gateway }) => gateway.close(graceMs)))
    },
  }
}
