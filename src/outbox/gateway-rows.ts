import { type Db, json } from '../database/connect.ts'
import { refusing } from '../database/errors.ts'
import type { GatewayRow } from '../gateways/definition.ts'
import type { AccountId } from '../lib/account.ts'
import { conflict, notFound } from '../lib/problem.ts'
import { open, seal } from '../lib/seal.ts'
import type { MasterKeys } from '../lib/tokens.ts'

/** A gateway and whom it serves; account null: every account without one of its own for the channel. */
export interface OwnedGateway extends GatewayRow {
  account: AccountId | null
}

/** What credentials are sealed for: they open for the gateway of this name only. */
function sealContext(account: AccountId | null, name: string): string {
  return `gateway ${account ?? 'installation'} ${name}`
}

/** Stores a gateway, its credentials sealed. Throws conflict `gateway-taken`. */
export async function addGateway(db: Db, keys: MasterKeys, gateway: OwnedGateway): Promise<number> {
  const { account, channel, name, kind, settings, secrets } = gateway
  const sealed = secrets === undefined ? null : seal(keys, JSON.stringify(secrets), sealContext(account, name))
  const row = await refusing(
    db
      .insertInto('gateways')
      .values({ account, channel, name, kind, settings: json(settings), secrets: sealed })
      .returning('id')
      .executeTakeFirstOrThrow(),
    { unique: () => conflict('gateway-taken', `A gateway is called "${name}" already.`) },
  )
  return row.id
}

/** Every gateway of the database without credentials, oldest first. */
export async function listGateways(db: Db) {
  const rows = await db
    .selectFrom('gateways as g')
    .leftJoin('accounts as a', 'a.id', 'g.account')
    .select(['g.id', 'a.agency', 'a.customer', 'g.channel', 'g.name', 'g.kind', 'g.settings'])
    .orderBy('g.id')
    .execute()
  return rows.map(({ id, agency, customer, channel, name, kind, settings }) => ({
    id,
    account: agency === null ? '(every)' : `${agency}${customer}`,
    channel,
    name,
    kind,
    settings: json(settings),
  }))
}

/** Removes a gateway; senders let go of it within seconds. Gives whose it was. Throws notFound. */
export async function removeGateway(db: Db, id: number): Promise<{ account: AccountId | null; name: string }> {
  const deletion = db.deleteFrom('gateways').where('id', '=', id).returning(['account', 'name'])
  const row = await deletion.executeTakeFirst()
  if (!row) throw notFound('gateway', id)
  return row
}

/** The gateways of the database with their credentials opened, newest first. */
export async function loadGateways(db: Db, keys: MasterKeys): Promise<OwnedGateway[]> {
  const rows = await db.selectFrom('gateways').selectAll().orderBy('id', 'desc').execute()
  return rows.map(({ account, channel, name, kind, settings, secrets }) => ({
    account,
    channel,
    name,
    kind,
    settings,
    secrets: secrets === null ? undefined : JSON.parse(open(keys, secrets, sealContext(account, name)).toString()),
  }))
}
