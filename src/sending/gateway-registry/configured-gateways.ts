import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { ServiceConfig } from '../../config.ts'
import type { GatewayChannelName } from '../../gateways/gateway.ts'
import { parseGatewayUrl, readGatewayRow } from '../../gateways/gateway-definitions.ts'
import type { ParsedGateway } from '../../gateways/open.ts'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import type { OwnedGateway } from './gateway-rows.ts'

interface GatewayEntry {
  name: string
  kind: string
  channel: GatewayChannelName
  url?: string
  settings?: object
  secrets?: object
}

/** The content of an invalid file is not quoted: it holds credentials. */
function readGatewayList(file: string): GatewayEntry[] {
  try {
    const list: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(list) && list.every((row) => typeof row === 'object' && row !== null)) return list
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined) throw new OperatorError(`STENTOR_GATEWAYS_FILE: ${file} cannot be read (${code}).`)
  }
  throw new OperatorError(`STENTOR_GATEWAYS_FILE: ${file} must contain a JSON array of gateways.`)
}

/** The gateways of the environment: STENTOR_SMTP_URL, or the list in STENTOR_GATEWAYS_FILE. Throws badRequestProblem or OperatorError. */
export function listConfiguredGateways({
  smtpUrl,
  gatewaysFile,
}: Pick<ServiceConfig, 'smtpUrl' | 'gatewaysFile'>): OwnedGateway[] {
  if (gatewaysFile !== undefined) {
    return readGatewayList(gatewaysFile).map(({ name, kind, channel, url, settings, secrets }) => ({
      account: null,
      ...(url === undefined
        ? { name, kind, channel, settings: settings ?? {}, secrets }
        : parseGatewayUrl(name, channel, kind, url)),
    }))
  }
  return smtpUrl === undefined
    ? []
    : [{ account: null, ...parseGatewayUrl('smtp', emailChannelTraits.name, 'smtp', smtpUrl) }]
}

/** The gateways of the environment, read; one that cannot be is logged and passed over. Throws as listConfiguredGateways does. */
export function readConfiguredGateways(
  config: Pick<ServiceConfig, 'smtpUrl' | 'gatewaysFile'>,
  log: Logger,
): ParsedGateway[] {
  return listConfiguredGateways(config).flatMap((row) => {
    try {
      return [readGatewayRow(row)]
    } catch (error) {
      log.error({ gateway: row.name, reason: error instanceof Error ? error.message : '' }, 'gateway cannot be opened')
      return []
    }
  })
}
