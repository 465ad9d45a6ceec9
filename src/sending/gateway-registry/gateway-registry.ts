import type { Logger } from 'pino'
import { createSmsInbox } from '../../channels/sms/inbox.ts'
import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import {
  type DomainWarmUp,
  type GatewayChannelName,
  gatewayChannelNames,
  type MessageGateway,
  type RateLimiter,
  type TrafficShaping,
} from '../../gateways/gateway.ts'
import { openParsedGateway, type ParsedGateway } from '../../gateways/open.ts'
import { createSharedTokenSources } from '../../gateways/requests/tokens.ts'
import type { DestinationTable } from '../../gateways/smtp-direct/destination-table.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { createMailDnsResolver } from '../../lib/net/dns.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { loadGateways, type OwnedGateway } from './gateway-rows.ts'
import { createGatewaySources } from './gateway-sources.ts'
import { type GatewaySources, type NamedGateways, openNamedGateways } from './named-gateways.ts'

/** Longest delay before an added, changed or removed gateway is noticed. */
const REFRESH_INTERVAL_MS = 3000

/** The open gateways of a sender: which one carries the messages of an account. */
export interface GatewayRegistry {
  gatewayOf(account: AccountId, channel: GatewayChannelName): Promise<MessageGateway>
  /** One that a message names; undefined when it is not set up. */
  named: NamedGateways['named']
  /** Work in progress has `graceMs` (5 s) to end, then it is cut; it has its outcome in either case. May be called again. */
  close(graceMs?: number): Promise<void>
}

/** One that has its gateways open before there is anything to send, so that what comes back is taken. */
export interface ReceivingRegistry extends GatewayRegistry {
  /** Opens and closes gateways as the rows have it, when they were not read for a while. */
  refresh(): Promise<void>
  /** Those that shape by destination; account null: the installation's. */
  shaping(): { account: AccountId | null; shaping: TrafficShaping }[]
}

interface OpenGateway {
  fingerprint: string
  owned: GatewayCandidate
  gateway: MessageGateway
}

/** A gateway that may be opened, and whose it is; account null: the installation's. */
interface GatewayCandidate extends Pick<OwnedGateway, 'account' | 'channel' | 'name'> {
  fingerprint: string
  /** Throws badRequestProblem or invalid. */
  read(): Promise<ParsedGateway>
}

/** One of the database. What reads its settings is loaded with the first: it is large, and each sender holds its own. */
function toRowCandidate(row: OwnedGateway): GatewayCandidate {
  const { account, channel, name } = row
  const readRow = async () => (await import('../../gateways/gateway-definitions.ts')).readGatewayRow(row)
  return { account, channel, name, fingerprint: JSON.stringify(row), read: readRow }
}

/** One of the installation that was read before. */
function toParsedCandidate(gateway: ParsedGateway): GatewayCandidate {
  const { channel, name } = gateway
  return { account: null, channel, name, fingerprint: JSON.stringify(gateway), read: async () => gateway }
}

const captureCandidates = gatewayChannelNames.map((channel) =>
  toParsedCandidate({ name: 'capture', kind: 'capture', channel }),
)

function buildName({ account, channel, name }: GatewayCandidate): string {
  return `${account ?? ''} ${channel} ${name}`
}

/**
 * Gateways are the account's own, else the installation's (database, then environment), else capture. Rows are read
 * again every few seconds; one that cannot be opened is logged and passed over.
 */
export function openGatewayRegistry(context: {
  db: Db
  config: ServiceConfig
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
  /** Those of the environment. */
  configured: readonly ParsedGateway[]
  destinations: DestinationTable
  /** True if gateways may accept data that comes back from networks: it is stored then. */
  receives?: boolean
  /** Counts what young sending domains send. */
  warmUp?: DomainWarmUp
  /** Keeps rates that all senders share. */
  limiter?: RateLimiter
  /** Sources of the settings of gateways that messages name. */
  sources?: GatewaySources
}): ReceivingRegistry {
  const { db, config, masterKeys, clock, log, destinations, receives = false, warmUp, limiter } = context
  const baseContext = {
    dataDir: config.dataDir,
    clock,
    dns: createMailDnsResolver(config.dnsServers),
    reach: createOutboundPolicy(config.outgoingAllow),
    destinations,
    pushHosts: config.pushHosts,
    // Gateways of one service account have one token.
    tokens: createSharedTokenSources(),
    ...(warmUp && { warmUp }),
    ...(limiter && { limiter }),
  }
  const buildOpenContext = ({ account }: Pick<GatewayCandidate, 'account'>) =>
    receives ? { ...baseContext, inbox: createSmsInbox(db, clock, account) } : baseContext
  const configured = context.configured.map(toParsedCandidate)
  const namedGateways = openNamedGateways({
    sources: context.sources ?? createGatewaySources({ db, masterKeys, clock, log }),
    log,
    async open(row) {
      if (row.open) return row.open(buildOpenContext(row))
      const { openGateway } = await import('../../gateways/gateway-definitions.ts')
      return openGateway(row, buildOpenContext(row))
    },
  })
  let openGateways = new Map<string, OpenGateway>()
  let lastReadAt = Number.NEGATIVE_INFINITY
  let pendingRead: Promise<void> | undefined

  async function openCandidate(owned: GatewayCandidate): Promise<OpenGateway | undefined> {
    const { fingerprint } = owned
    const existingEntry = openGateways.get(buildName(owned))
    if (existingEntry?.fingerprint === fingerprint) return existingEntry
    try {
      return { fingerprint, owned, gateway: await openParsedGateway(await owned.read(), buildOpenContext(owned)) }
    } catch (error) {
      log.error(
        { gateway: owned.name, reason: error instanceof Error ? error.message : '' },
        'gateway cannot be opened',
      )
      return undefined
    }
  }

  async function rereadGateways(): Promise<void> {
    const rows = (await loadGateways(db, masterKeys)).map(toRowCandidate)
    const nextGateways = new Map<string, OpenGateway>()
    for (const candidate of [...rows, ...configured, ...captureCandidates]) {
      const openEntry = nextGateways.has(buildName(candidate)) ? undefined : await openCandidate(candidate)
      if (openEntry) nextGateways.set(buildName(candidate), openEntry)
    }
    const removedGateways = [...openGateways.values()].filter(
      (openEntry) =>
        !nextGateways.has(buildName(openEntry.owned)) || nextGateways.get(buildName(openEntry.owned)) !== openEntry,
    )
    openGateways = nextGateways
    await Promise.all(removedGateways.map(({ gateway }) => gateway.close()))
  }

  async function refresh(): Promise<void> {
    namedGateways.sweep()
    if (performance.now() - lastReadAt <= REFRESH_INTERVAL_MS) return
    // Callers that come while the rows are being read wait for the same reading.
    pendingRead ??= rereadGateways().finally(() => {
      pendingRead = undefined
    })
    await pendingRead
    lastReadAt = performance.now()
  }

  return {
    refresh,
    named: namedGateways.named,
    shaping: () =>
      [...openGateways.values()].flatMap(({ owned: { account }, gateway: { shaping } }) =>
        shaping ? [{ account, shaping }] : [],
      ),
    async gatewayOf(account, channel) {
      await refresh()
      const matchingGateways = [...openGateways.values()].filter(({ owned }) => owned.channel === channel)
      const selectedGateway =
        matchingGateways.find(({ owned }) => owned.account === account) ??
        matchingGateways.find(({ owned }) => owned.account === null)
      if (!selectedGateway) throw new Error(`no gateway is open for ${channel}`)
      return selectedGateway.gateway
    },
    async close(graceMs) {
      await Promise.all([
        ...[...openGateways.values()].map(({ gateway }) => gateway.close(graceMs)),
        namedGateways.close(graceMs),
      ])
    },
  }
}
