import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import { findAccount } from '../../features/accounts/accounts.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import { type GatewayChannelName, gatewayChannelNames } from '../../gateways/gateway.ts'
import {
  addCallbackToken,
  findGatewayCallback,
  findSoleChannel,
  needsGatewayAddress,
  parseGatewayUrl,
} from '../../gateways/gateway-definitions.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { openGatewayOnce } from '../../sending/gateway-registry/gateway-check.ts'
import { addGateway, listGateways, removeGateway } from '../../sending/gateway-registry/gateway-rows.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import {
  type CliCommand,
  type CommandInvocation,
  parseWholeNumber,
  printTable,
  requireOptionValue,
  UsageError,
} from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { loadVerifiedMasterKeys } from './master-keys.ts'

function requireChannel(text: string): GatewayChannelName {
  const channel = gatewayChannelNames.find((candidate) => candidate === text)
  if (!channel) throw new UsageError(`"${text}" is not a channel. The channels are ${gatewayChannelNames.join(', ')}.`)
  return channel
}

/** The settings and secrets of a gateway as JSON, for kinds that an address cannot describe. */
const GatewayDescription = Type.Object({
  settings: Type.Optional(Type.Object({})),
  secrets: Type.Optional(Type.Record(Type.String(), Type.String())),
})

function readGatewayDescription(file: string): Pick<GatewayRow, 'settings' | 'secrets'> {
  let described: unknown
  try {
    described = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  if (!Value.Check(GatewayDescription, described))
    throw new UsageError(`${file} must contain {"settings": {…}, "secrets": {…}}, and every secret must be a string.`)
  const { settings = {}, secrets } = described
  return { settings, secrets }
}

function buildGatewayRow({ options }: CommandInvocation): GatewayRow {
  const kind = requireOptionValue(options, 'kind')
  const name = typeof options['name'] === 'string' ? options['name'] : kind
  const channel =
    typeof options['channel'] === 'string'
      ? requireChannel(options['channel'])
      : (findSoleChannel(kind) ?? emailChannelTraits.name)
  const { file } = options
  if (typeof file === 'string') return { name, kind, channel, ...readGatewayDescription(file) }
  return needsGatewayAddress(kind)
    ? parseGatewayUrl(name, channel, kind, requireOptionValue(options, 'url'))
    : { name, kind, channel, settings: {} }
}

async function addGatewayFromOptions(db: Db, invocation: CommandInvocation): Promise<void> {
  const { options, config } = invocation
  const account = typeof options['account'] === 'string' ? await findAccount(db, options['account']) : null
  const row = addCallbackToken(buildGatewayRow(invocation))
  // Opened once, so that its faults are reported here and not in the log of the senders.
  const gateway = await openGatewayOnce(row, { config, clock: systemClock })
  await gateway.close(0)
  const masterKeys = await loadVerifiedMasterKeys(db, config, new Date(systemClock.now()))
  const { name, kind, channel, settings } = row
  const id = await inAuditedTransaction(
    db,
    (tx) => addGateway(tx, masterKeys, { ...row, account }),
    (gatewayId) => ({
      operation: 'gateways add',
      account,
      object: { type: 'gateway', id: String(gatewayId), name },
      said: { kind, channel, settings },
    }),
  )
  process.stdout.write(`Gateway ${id} (${row.name}) added. Senders use it within seconds.\n`)
  const callbackAddress = findGatewayCallback(row)
  if (callbackAddress)
    process.stdout.write(`Callback URL (shown only once): ${config.publicUrl}/hooks/sms/${callbackAddress.token}\n`)
}

async function removeGatewayById(db: Db, id: number): Promise<void> {
  await inAuditedTransaction(
    db,
    (tx) => removeGateway(tx, id),
    ({ account, name }) => ({
      operation: 'gateways remove',
      account,
      object: { type: 'gateway', id: String(id), name },
    }),
  )
}

/** `stentor gateways add|list|remove`. Credentials are kept sealed and never shown. */
export const gatewaysCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const [commandWord, id] = invocation.words
    switch (commandWord) {
      case 'add':
        await addGatewayFromOptions(db, invocation)
        return 0
      case 'list':
        printTable(await listGateways(db))
        return 0
      case 'remove':
        await removeGatewayById(db, parseWholeNumber(id ?? '', 'The ID of the gateway'))
        process.stdout.write('Gateway removed.\n')
        return 0
      default:
        throw new UsageError('Use gateways add, gateways list or gateways remove.')
    }
  })
