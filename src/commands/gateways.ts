import type { Db } from '../database/connect.ts'
import { findAccount } from '../features/accounts/accounts.ts'
import { addGateway, listGateways, removeGateway } from '../features/messages/gateway-rows.ts'
import type { Channel } from '../gateways/gateway.ts'
import { parseGatewayUrl } from '../gateways/gateways.ts'
import { type Command, type Invocation, printTable, required, UsageError, wholeNumber } from './usage.ts'
import { masterKeysOf, withDatabase } from './with-database.ts'

const CHANNELS: readonly Channel[] = ['email', 'sms', 'rcs', 'notification']

function readChannel(text: string): Channel {
  const channel = CHANNELS.find((candidate) => candidate === text)
  if (!channel) throw new UsageError(`"${text}" is no channel; they are ${CHANNELS.join(', ')}.`)
  return channel
}

async function add(db: Db, { options, config }: Invocation): Promise<void> {
  const account = typeof options['account'] === 'string' ? await findAccount(db, options['account']) : null
  const kind = required(options, 'kind')
  const channel = readChannel(typeof options['channel'] === 'string' ? options['channel'] : 'email')
  const name = typeof options['name'] === 'string' ? options['name'] : kind
  const row =
    kind === 'capture'
      ? { name, kind, channel, settings: {} }
      : parseGatewayUrl(name, channel, kind, required(options, 'url'))
  const id = await addGateway(db, masterKeysOf(config), { ...row, account })
  process.stdout.write(`Gateway ${id} (${name}) made; senders use it within seconds.\n`)
}

/** `stentor gateways add|list|remove`. Credentials are kept sealed and never shown. */
export const gatewaysCommand: Command = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const [word, id] = invocation.words
    switch (word) {
      case 'add':
        await add(db, invocation)
        return 0
      case 'list':
        printTable(await listGateways(db))
        return 0
      case 'remove':
        await removeGateway(db, wholeNumber(id ?? '', 'The id of the gateway'))
        process.stdout.write('Removed.\n')
        return 0
      default:
        throw new UsageError('Say gateways add, gateways list or gateways remove.')
    }
  })
