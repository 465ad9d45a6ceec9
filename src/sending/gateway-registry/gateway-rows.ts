import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import type { AccountId } from '../../lib/account.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { conflictProblem, notFoundProblem, type Problem } from '../../lib/errors/problem.ts'

/** A gateway and whom it serves; account null: every account without one of its own for the channel. */
export interface OwnedGateway extends GatewayRow {
  account: AccountId | null
}

/** One of the database. */
export interface StoredGateway extends OwnedGateway {
  id: number
  createdAt: Date
  /** Its hosts were given over the interface, and have to be public. */
  guarded: boolean
}

/** Purpose that credentials are sealed for: they can be unsealed only for the gateway of this name. */
function buildSealContext(account: AccountId | null, name: string): string {
  return `gateway ${account ?? 'installation'} ${name}`
}

function sealSecrets(keys: MasterKeys, { account, name, secrets }: OwnedGateway): Buffer | null {
  return secrets === undefined
    ? null
    : sealWithMasterKey(keys, JSON.stringify(secrets), buildSealContext(account, name))
}

function createGatewayConflict(name: string): Problem {
  return conflictProblem('gateway-taken', `Another gateway is called "${name}".`)
}

/** Stores a gateway, its credentials sealed. Throws conflict `gateway-taken`. */
export async function addGateway(
  db: Db,
  keys: MasterKeys,
  gateway: OwnedGateway & Partial<Pick<StoredGateway, 'guarded'>>,
): Promise<number> {
  const { account, channel, name, kind, settings, guarded = false } = gateway
  const row = await mapConstraintErrors(
    db
      .insertInto('gateways')
      .values({
        account,
        channel,
        name,
        kind,
        settings: toJsonbText(settings),
        secrets: sealSecrets(keys, gateway),
        guarded,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
    { unique: () => createGatewayConflict(name) },
  )
  return row.id
}

/** Changes a gateway's name, settings and credentials; senders reopen it within seconds. Throws conflict `gateway-taken`. */
export async function updateStoredGateway(
  db: Db,
  keys: MasterKeys,
  gateway: Omit<StoredGateway, 'createdAt'>,
): Promise<void> {
  const { id, name, settings, guarded } = gateway
  await mapConstraintErrors(
    db
      .updateTable('gateways')
      .set({ name, settings: toJsonbText(settings), secrets: sealSecrets(keys, gateway), guarded })
      .where('id', '=', id)
      .execute(),
    { unique: () => createGatewayConflict(name) },
  )
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
    settings: toJsonbText(settings),
  }))
}

/** Locks a gateway until the transaction ends. */
export async function lockGatewayRow(tx: Db, id: number): Promise<void> {
  await tx.selectFrom('gateways').select('id').where('id', '=', id).forUpdate().execute()
}

/** Removes a gateway; senders let go of it within seconds. Gives whose it was. Throws notFound. */
export async function removeGateway(db: Db, id: number): Promise<{ account: AccountId | null; name: string }> {
  const deletionQuery = db.deleteFrom('gateways').where('id', '=', id).returning(['account', 'name'])
  const row = await deletionQuery.executeTakeFirst()
  if (!row) throw notFoundProblem('gateway', id)
  return row
}

/** The gateways of the database with their credentials opened, newest first; with `account` those that serve it alone. */
export async function loadGateways(db: Db, keys: MasterKeys, account?: AccountId): Promise<StoredGateway[]> {
  let query = db.selectFrom('gateways').selectAll().orderBy('id', 'desc')
  if (account !== undefined) query = query.where((e) => e.or([e('account', 'is', null), e('account', '=', account)]))
  const rows = await query.execute()
  return rows.map(({ id, account, channel, name, kind, settings, secrets, guarded, created_at }) => ({
    id,
    account,
    channel,
    name,
    kind,
    settings,
    guarded,
    createdAt: created_at,
    secrets:
      secrets === null
        ? undefined
        : JSON.parse(unsealWithMasterKey(keys, secrets, buildSealContext(account, name)).toString()),
  }))
}
