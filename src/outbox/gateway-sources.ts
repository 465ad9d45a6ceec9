import type { Db } from '../database/connect.ts'
import type { MasterKeys } from '../lib/tokens.ts'
import type { GatewaySource } from './named-gateways.ts'

/** Opens the settings of one kind of named gateways. */
type OpenSource = (db: Db, masterKeys: MasterKeys) => GatewaySource

/** Where the settings of gateways are that messages name, by kind of gateway. */
const sources: Readonly<Record<string, OpenSource>> = {}

/** The same, with the database and the keys of secrets at hand. */
export function gatewaySources(db: Db, masterKeys: MasterKeys): Readonly<Record<string, GatewaySource>> {
  return Object.fromEntries(Object.entries(sources).map(([kind, open]) => [kind, open(db, masterKeys)]))
}
