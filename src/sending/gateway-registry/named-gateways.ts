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

/** Returns the settings that an account has under a key; `undefined`: none. */
export type GatewaySource = (account: AccountId, key: string) => Promise<NamedGatewaySettings | undefined>

/** Sources of the settings of named gateways, by kind. */
export type GatewaySources = Readonly<Record<string, GatewaySource>>

/** Longest delay before changed settings are noticed, and idle time after which a gateway is closed. */
const REFRESH_INTERVAL_MS = 3000
const IDLE_TIMEOUT_MS = 60_000

interface NamedGateway {
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
function trackUses(gateway: MessageGateway, uses: Pick<NamedGateway, 'usedAt' | 'busy'>): MessageGateway {
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
  open: openGateway,
  log,
}: {
  sources: GatewaySources
  open(row: OwnedGateway & Pick<NamedGatewaySettings, 'open'>): Promise<MessageGateway>
  log: Logger
}): NamedGateways {
  const namedGateways = new Map<string, NamedGateway>()
  const pendingReads = new Map<string, Promise<MessageGateway | undefined>>()

  function dropGateway(key: string): void {
    const droppedGateway = namedGateways.get(key)
    namedGateways.delete(key)
    // What is under way has its outcome first.
    droppedGateway?.gateway.close().catch((error) => log.warn({ err: error }, 'gateway not closed'))
  }

  async function readGateway(
    place: string,
    account: AccountId,
    channel: GatewayChannelName,
    { kind, key }: NamedGatewayKey,
  ): Promise<MessageGateway | undefined> {
    const storedSettings = await sources[kind]?.(account, key)
    const row = storedSettings?.channel === channel ? { ...storedSettings, kind, account } : undefined
    const fingerprint = JSON.stringify(row)
    const existingGateway = namedGateways.get(place)
    if (existingGateway && existingGateway.fingerprint === fingerprint) {
      existingGateway.readAt = performance.now()
      return existingGateway.gateway
    }
    dropGateway(place)
    if (!row) return undefined
    try {
      const uses = { usedAt: performance.now(), busy: 0, readAt: performance.now(), fingerprint }
      const gateway = trackUses(await openGateway(row), uses)
      namedGateways.set(place, Object.assign(uses, { gateway }))
      return gateway
    } catch (error) {
      log.error({ gateway: row.name, reason: error instanceof Error ? error.message : '' }, 'gateway cannot be opened')
      return undefined
    }
  }

  return {
    async named(account, channel, reference) {
      const gatewayKey = JSON.stringify([account, channel, reference.kind, reference.key])
      const existingGateway = namedGateways.get(gatewayKey)
      if (existingGateway && performance.now() - existingGateway.readAt <= REFRESH_INTERVAL_MS) {
        existingGateway.usedAt = performance.now()
        return existingGateway.gateway
      }
      // Callers that come meanwhile wait for the same reading.
      const pendingRead =
        pendingReads.get(gatewayKey) ??
        readGateway(gatewayKey, account, channel, reference).finally(() => pendingReads.delete(gatewayKey))
      pendingReads.set(gatewayKey, pendingRead)
      return pendingRead
    },
    sweep() {
      for (const [gatewayKey, { busy, usedAt }] of namedGateways)
        if (busy === 0 && performance.now() - usedAt > IDLE_TIMEOUT_MS) dropGateway(gatewayKey)
    },
    async close(graceMs) {
      await Promise.all([...namedGateways.values()].map(({ gateway }) => gateway.close(graceMs)))
    },
  }
}
