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

/** How soon a gateway that was added, changed or removed is noticed. */
const REREAD_MS = 3000

/** The open gateways of a sender: which one carries the messages of an account. */
export interface GatewayRegistry {
  gatewayOf(account: AccountId, channel: GatewayChannelName): Promise<MessageGateway>
  /** One that a message names; undefined when it is not set up. */
  named: NamedGateways['named']
  /** What is under way gets `graceMs` (5 s) to end, then it is cut; it has its outcome in either case. May be called again. */
  close(graceMs?: number): Promise<void>
}

/** One that has its gateways open before there is anything to send, so that what comes back is taken. */
export interface ReceivingRegistry extends GatewayRegistry {
  /** Opens and closes gateways as the rows have it, when they were not read for a while. */
  refresh(): Promise<void>
  /** Those that shape by destination; account null: the installation's. */
  shaping(): { account: AccountId | null; shaping: TrafficShaping }[]
}

interface Opened {
  fingerprint: string
  owned: Candidate
  gateway: MessageGateway
}

/** A gateway that may be opened, and whose it is; account null: the installation's. */
interface Candidate extends Pick<OwnedGateway, 'account' | 'channel' | 'name'> {
  fingerprint: string
  /** Throws badRequestProblem or invalid. */
  read(): Promise<ParsedGateway>
}

/** One of the database. What reads its settings is loaded with the first: it is large, and each sender holds its own. */
function ofRow(row: OwnedGateway): Candidate {
  const { account, channel, name } = row
  const read = async () => (await import('../../gateways/gateways.ts')).readGatewayRow(row)
  return { account, channel, name, fingerprint: JSON.stringify(row), read }
}

/** One of the installation that was read before. */
function ofRead(gateway: ParsedGateway): Candidate {
  const { channel, name } = gateway
  return { account: null, channel, name, fingerprint: JSON.stringify(gateway), read: async () => gateway }
}

const captures = gatewayChannelNames.map((channel) => ofRead({ name: 'capture', kind: 'capture', channel }))

function nameOf({ account, channel, name }: Candidate): string {
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
  /** Whether gateways may take what comes back from networks: it is stored then. */
  receives?: boolean
  /** Counts what young sending domains send. */
  warmUp?: DomainWarmUp
  /** Keeps rates that all senders share. */
  limiter?: RateLimiter
  /** Where settings of gateways are that messages name. */
  sources?: GatewaySources
}): ReceivingRegistry {
  const { db, config, masterKeys, clock, log, destinations, receives = false, warmUp, limiter } = context
  const place = {
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
  const placeOf = ({ account }: Pick<Candidate, 'account'>) =>
    receives ? { ...place, inbox: createSmsInbox(db, clock, account) } : place
  const configured = context.configured.map(ofRead)
  const named = openNamedGateways({
    sources: context.sources ?? createGatewaySources({ db, masterKeys, clock, log }),
    log,
    async open(row) {
      if (row.open) return row.open(placeOf(row))
      const { openGateway } = await import('../../gateways/gateways.ts')
      return openGateway(row, placeOf(row))
    },
  })
  let opened = new Map<string, Opened>()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function openOne(owned: Candidate): Promise<Opened | undefined> {
    const { fingerprint } = owned
    const known = opened.get(nameOf(owned))
    if (known?.fingerprint === fingerprint) return known
    try {
      return { fingerprint, owned, gateway: await openParsedGateway(await owned.read(), placeOf(owned)) }
    } catch (error) {
      log.error(
        { gateway: owned.name, reason: error instanceof Error ? error.message : '' },
        'gateway cannot be opened',
      )
      return undefined
    }
  }

  async function reread(): Promise<void> {
    const rows = (await loadGateways(db, masterKeys)).map(ofRow)
    const next = new Map<string, Opened>()
    for (const owned of [...rows, ...configured, ...captures]) {
      const one = next.has(nameOf(owned)) ? undefined : await openOne(owned)
      if (one) next.set(nameOf(owned), one)
    }
    const gone = [...opened.values()].filter(
      (one) => !next.has(nameOf(one.owned)) || next.get(nameOf(one.owned)) !== one,
    )
    opened = next
    await Promise.all(gone.map(({ gateway }) => gateway.close()))
  }

  async function refresh(): Promise<void> {
    named.sweep()
    if (performance.now() - readAt <= REREAD_MS) return
    // Callers that come while the rows are being read wait for the same reading.
    reading ??= reread().finally(() => {
      reading = undefined
    })
    await reading
    readAt = performance.now()
  }

  return {
    refresh,
    named: named.named,
    shaping: () =>
      [...opened.values()].flatMap(({ owned: { account }, gateway: { shaping } }) =>
        shaping ? [{ account, shaping }] : [],
      ),
    async gatewayOf(account, channel) {
      await refresh()
      const fitting = [...opened.values()].filter(({ owned }) => owned.channel === channel)
      const found =
        fitting.find(({ owned }) => owned.account === account) ?? fitting.find(({ owned }) => owned.account === null)
      if (!found) throw new Error(`no gateway is open for ${channel}`)
      return found.gateway
    },
    async close(graceMs) {
      await Promise.all([...[...opened.values()].map(({ gateway }) => gateway.close(graceMs)), named.close(graceMs)])
    },
  }
}
