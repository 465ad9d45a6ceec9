import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceConfig } from '../../config.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import type { GatewayCheckResult, MessageGateway } from '../../gateways/gateway.ts'
import { openGateway } from '../../gateways/gateway-definitions.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { createMailDnsResolver } from '../../lib/net/dns.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Some gateways wait minutes for a remote: a person does not. */
const CHECK_TIMEOUT_MS = 20_000

type CheckContext = {
  config: Pick<ServiceConfig, 'dataDir' | 'dnsServers' | 'outgoingAllow' | 'pushHosts'>
  clock: Clock
}

/** Opens a gateway as senders do; nothing is connected yet. Throws as readGatewayRow does. */
export function openGatewayOnce(row: GatewayRow, { config, clock }: CheckContext): Promise<MessageGateway> {
  const { dataDir, dnsServers, outgoingAllow, pushHosts } = config
  return openGateway(row, {
    dataDir,
    clock,
    dns: createMailDnsResolver(dnsServers),
    reach: createOutboundPolicy(outgoingAllow),
    pushHosts,
  })
}

/** Connects to the remote as sending would, and sends nothing. Throws as readGatewayRow does. */
export async function checkGatewayConnection(row: GatewayRow, place: CheckContext): Promise<GatewayCheckResult> {
  const gateway = await openGatewayOnce(row, place)
  const checkController = new AbortController()
  const timeoutResult = delay(
    CHECK_TIMEOUT_MS,
    { ok: false, detail: `no answer within ${CHECK_TIMEOUT_MS / 1000} s` },
    { signal: checkController.signal },
  )
  try {
    const checkResult = gateway
      .check()
      .catch((error): GatewayCheckResult => ({ ok: false, detail: formatErrorReason(error) }))
    return await Promise.race([checkResult, timeoutResult])
  } finally {
    checkController.abort()
    timeoutResult.catch(() => undefined)
    await gateway.close(0)
  }
}
