import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import type { Check, Gateway } from '../../gateways/gateway.ts'
import { openGateway } from '../../gateways/gateways.ts'
import { reasonOf } from '../../lib/errors/reason.ts'
import { openDns } from '../../lib/net/dns.ts'
import { reachOf } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Some gateways wait minutes for a remote: a person does not. */
const MOST_MS = 20_000

type Place = { config: Pick<Config, 'dataDir' | 'dnsServers' | 'outgoingAllow' | 'pushHosts'>; clock: Clock }

/** Opens a gateway as senders do; nothing is connected yet. Throws as readGateway does. */
export function openOnce(row: GatewayRow, { config, clock }: Place): Promise<Gateway> {
  const { dataDir, dnsServers, outgoingAllow, pushHosts } = config
  return openGateway(row, { dataDir, clock, dns: openDns(dnsServers), reach: reachOf(outgoingAllow), pushHosts })
}

/** Connects to the remote as sending would, and sends nothing. Throws as readGateway does. */
export async function checkGateway(row: GatewayRow, place: Place): Promise<Check> {
  const gateway = await openOnce(row, place)
  const done = new AbortController()
  const late = delay(MOST_MS, { ok: false, detail: `no answer within ${MOST_MS / 1000} s` }, { signal: done.signal })
  try {
    const checked = gateway.check().catch((error): Check => ({ ok: false, detail: reasonOf(error) }))
    return await Promise.race([checked, late])
  } finally {
    done.abort()
    late.catch(() => undefined)
    await gateway.close(0)
  }
}
