import { createMailDnsResolver, type MailDnsResolver } from '../lib/net/dns.ts'
import { createOutboundHostGuard, createOutboundPolicy, type OutboundPolicy } from '../lib/net/guarded-client.ts'
import type { Clock } from '../lib/time/clock.ts'
import { openCaptureGateway } from './capture/capture.ts'
import type { DomainWarmUp, GatewayChannelName, MessageGateway, RateLimiter, SmsInbox } from './gateway.ts'
import type { PushApnsSecrets, PushApnsSettings } from './push-apns/settings.ts'
import type { PushFcmSecrets, PushFcmSettings } from './push-fcm/settings.ts'
import type { PushHttpSecrets, PushHttpSettings } from './push-http/settings.ts'
import type { PushWebSecrets, PushWebSettings } from './push-web/settings.ts'
import type { RcsGoogleSecrets, RcsGoogleSettings } from './rcs-google/settings.ts'
import type { SharedSuspensions } from './requests/rests.ts'
import type { SharedTokenSources } from './requests/tokens.ts'
import type { SmsHttpSecrets, SmsHttpSettings } from './sms-http/settings.ts'
import type { SmppSecrets, SmppSettings } from './sms-smpp/settings.ts'
import type { SmtpSecrets, SmtpSettings } from './smtp/settings.ts'
import { builtInDestinations, type DestinationTable } from './smtp-direct/destination-table.ts'
import type { SmtpDirectSettings } from './smtp-direct/settings.ts'

/** Services of the program that gateways use. */
export interface GatewayContext {
  dataDir: string
  clock: Clock
  /**
   * Stores receipts and replies. With it a gateway that receives them stays connected; without it they are left with
   * the remote.
   */
  inbox?: SmsInbox
  /** Absent: the name servers of the machine. */
  dns?: MailDnsResolver
  /** Absent: everything public. */
  reach?: OutboundPolicy
  /** Absent: the one that is built in. */
  destinations?: DestinationTable
  /** Absent: no sending domain is young. */
  warmUp?: DomainWarmUp
  /** Shares tokens among the gateways of one service account. Absent: each has its own. */
  tokens?: SharedTokenSources
  /** Push hosts of browsers. Absent: the known ones. */
  pushHosts?: readonly string[]
  /** Rates that senders share. Absent: no rate is kept. */
  limiter?: RateLimiter
  /** Rests of a push service after refused credentials that senders share. Absent: the gateway keeps its own. */
  rests?: SharedSuspensions
}

/** A gateway whose row was read: settings and secrets are those of its kind, with defaults filled in. */
export type ParsedGateway = { name: string; isIdempotent?: boolean; guarded?: boolean } & (
  | { kind: 'smtp'; channel: 'email'; settings: SmtpSettings; secrets: SmtpSecrets | undefined }
  | { kind: 'smtp-direct'; channel: 'email'; settings: SmtpDirectSettings }
  | { kind: 'sms-smpp'; channel: 'sms'; settings: SmppSettings; secrets: SmppSecrets | undefined }
  | { kind: 'sms-http'; channel: 'sms'; settings: SmsHttpSettings; secrets: SmsHttpSecrets }
  | { kind: 'rcs-google'; channel: 'rcs'; settings: RcsGoogleSettings; secrets: RcsGoogleSecrets }
  | { kind: 'push-fcm'; channel: 'notification'; settings: PushFcmSettings; secrets: PushFcmSecrets }
  | { kind: 'push-apns'; channel: 'notification'; settings: PushApnsSettings; secrets: PushApnsSecrets }
  | { kind: 'push-web'; channel: 'notification'; settings: PushWebSettings; secrets: PushWebSecrets }
  | { kind: 'push-http'; channel: 'notification'; settings: PushHttpSettings; secrets: PushHttpSecrets }
  | { kind: 'capture'; channel: GatewayChannelName }
)

async function openDirectGateway(
  name: string,
  settings: SmtpDirectSettings,
  context: GatewayContext,
): Promise<MessageGateway> {
  const { openSmtpDirectGateway } = await import('./smtp-direct/direct.ts')
  const { createMtaStsFetcher } = await import('./smtp-direct/mta-sts.ts')
  const {
    clock,
    dns = createMailDnsResolver(),
    reach = createOutboundPolicy([]),
    destinations: destinationTable = builtInDestinations,
    warmUp,
  } = context
  const parts = {
    clock,
    dns,
    table: destinationTable,
    fetchPolicy: createMtaStsFetcher(reach),
    ...(warmUp && { warmUp }),
  }
  return openSmtpDirectGateway(name, settings, parts)
}

/** Opens a gateway; nothing is connected yet. Only the kinds in use are loaded, as each sender thread holds modules of its own. */
export async function openParsedGateway(gateway: ParsedGateway, context: GatewayContext): Promise<MessageGateway> {
  const openedGateway = await openGatewayKind(gateway, context)
  return gateway.isIdempotent ? Object.assign(openedGateway, { isIdempotent: true }) : openedGateway
}

async function openGatewayKind(gateway: ParsedGateway, context: GatewayContext): Promise<MessageGateway> {
  const { reach = createOutboundPolicy([]) } = context
  // The kinds that are not named here ask for the address behind each of their hosts, whoever gave it.
  const hostGuard = gateway.guarded ? createOutboundHostGuard(reach) : undefined
  switch (gateway.kind) {
    case 'smtp': {
      const { openSmtpGateway } = await import('./smtp/smtp.ts')
      return openSmtpGateway(gateway.name, gateway.settings, gateway.secrets, hostGuard)
    }
    case 'smtp-direct':
      return openDirectGateway(gateway.name, gateway.settings, context)
    case 'sms-smpp': {
      const { openSmppGateway } = await import('./sms-smpp/smpp.ts')
      return openSmppGateway(gateway.name, gateway, { ...context, guard: hostGuard })
    }
    case 'sms-http': {
      const { openSmsHttpGateway } = await import('./sms-http/http.ts')
      return openSmsHttpGateway(gateway.name, gateway, { ...context, guard: hostGuard })
    }
    case 'rcs-google': {
      const { openRcsGoogleGateway } = await import('./rcs-google/rcs.ts')
      return openRcsGoogleGateway(gateway.name, gateway, { ...context, reach })
    }
    case 'push-fcm': {
      const { openPushFcmGateway } = await import('./push-fcm/fcm.ts')
      return openPushFcmGateway(gateway.name, gateway, { ...context, reach })
    }
    case 'push-apns': {
      const { openPushApnsGateway } = await import('./push-apns/apns.ts')
      return openPushApnsGateway(gateway.name, gateway, { ...context, reach })
    }
    case 'push-web': {
      const { openPushWebGateway } = await import('./push-web/web.ts')
      return openPushWebGateway(gateway.name, gateway, { ...context, reach })
    }
    case 'push-http': {
      const { openPushHttpGateway } = await import('./push-http/http.ts')
      return openPushHttpGateway(gateway.name, gateway, { ...context, reach })
    }
    case 'capture':
      return openCaptureGateway(gateway.name, gateway.channel, context)
  }
}
