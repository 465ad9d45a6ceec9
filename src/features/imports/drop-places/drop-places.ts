import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from '../../../lib/crypto/seal.ts'
import { type DropPlace, openDirectoryPlace } from './drop-place.ts'
import { fetchSftpHostKey, openSftpDropPlace, type SftpSecrets, type SftpSettings } from './sftp-place.ts'

/** A drop place as an operator describes it. */
export type DropPlaceDescription =
  | { kind: 'directory'; settings: { path: string } }
  | { kind: 'sftp'; settings: Omit<SftpSettings, 'hostKey'>; secrets: SftpSecrets }

/** The visible part of a drop place. */
export interface DropPlaceSummary {
  kind: 'directory' | 'sftp'
  address: string
}

const DEFAULT_SFTP_PORT = 22

/**
 * Reads `file:///srv/drops/acme` or `sftp://name:password@host:22/drops/acme`; `privateKey` stands in for a password.
 * Throws an Error that says what is missing.
 */
export function parseDropPlaceUrl(text: string, privateKey: string | undefined): DropPlaceDescription {
  const url = URL.parse(text)
  if (url?.protocol === 'file:' && url.hostname === '') {
    return { kind: 'directory', settings: { path: decodeURIComponent(url.pathname) } }
  }
  if (url?.protocol !== 'sftp:' || url.hostname === '') {
    throw new Error('A drop place must be file:///path or sftp://name@host/path.')
  }
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  if (username === '') throw new Error('An SFTP address must contain a user name: sftp://name@host/path.')
  if ((password === '') === (privateKey === undefined)) {
    throw new Error('An SFTP drop place requires either a password in its address or a private key in a file.')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const sftpSettings = {
    host,
    port: Number(url.port || DEFAULT_SFTP_PORT),
    username,
    path: decodeURIComponent(url.pathname) || '/',
  }
  return { kind: 'sftp', settings: sftpSettings, secrets: privateKey === undefined ? { password } : { privateKey } }
}

function buildSealContext(account: AccountId): string {
  return `drop place of account ${account}`
}

/**
 * Makes a drop place the account's; it replaces the former one. The server's key is read now, and no other accepted
 * later. Rejects when the place cannot be reached.
 */
export async function setDropPlace(
  db: Db,
  masterKeys: MasterKeys,
  account: AccountId,
  place: DropPlaceDescription,
): Promise<void> {
  const isSftp = place.kind === 'sftp'
  const hostKey = isSftp ? await fetchSftpHostKey(place.settings, place.secrets) : undefined
  const placeSettings = { ...place.settings, ...(hostKey !== undefined && { hostKey }) }
  if (!isSftp) await openDirectoryPlace(place.settings.path).list('')
  const sealedSecrets = isSftp
    ? sealWithMasterKey(masterKeys, JSON.stringify(place.secrets), buildSealContext(account))
    : null
  const values = { kind: place.kind, settings: toJsonbText(placeSettings), secrets: sealedSecrets }
  await db
    .insertInto('drop_places')
    .values({ account, ...values })
    .onConflict((conflict) => conflict.column('account').doUpdateSet(values))
    .execute()
}

/** Removes the drop place of an account; false when there was none. */
export async function removeDropPlace(db: Db, account: AccountId): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('drop_places').where('account', '=', account).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Address of a drop place `p`, without credentials. */
const placeAddress = sql`case p.kind when 'sftp'
  then concat('sftp://', p.settings->>'username', '@', p.settings->>'host', ':', p.settings->>'port', p.settings->>'path')
  else p.settings->>'path' end`

/** Every drop place, without credentials. */
export async function listDropPlaces(db: Db): Promise<{ account: string; kind: string; place: string }[]> {
  const { rows } = await sql<{ account: string; kind: string; place: string }>`
    select a.agency || a.customer as account, p.kind, ${placeAddress} as place
    from drop_places p join accounts a on a.id = p.account
    order by 1`.execute(db)
  return rows
}

/** The drop place of an account, without credentials; `undefined` if it does not have one. */
export async function readDropPlace(db: Db, account: AccountId): Promise<DropPlaceSummary | undefined> {
  const { rows } = await sql<DropPlaceSummary>`
    select p.kind, ${placeAddress} as address from drop_places p where p.account = ${account}`.execute(db)
  return rows[0]
}

/**
 * Opens the drop place of an account; `undefined` if it does not have one. Rejects if the place is unavailable. `signal` ends its
 * connection.
 */
export async function openDropPlace(
  db: Db,
  masterKeys: MasterKeys,
  account: AccountId,
  signal?: AbortSignal,
): Promise<DropPlace | undefined> {
  const row = await db.selectFrom('drop_places').selectAll().where('account', '=', account).executeTakeFirst()
  if (!row) return undefined
  if (row.kind === 'directory') return openDirectoryPlace((row.settings as { path: string }).path)
  const unsealedSecrets = row.secrets
    ? unsealWithMasterKey(masterKeys, row.secrets, buildSealContext(account)).toString()
    : '{}'
  return openSftpDropPlace(row.settings as unknown as SftpSettings, JSON.parse(unsealedSecrets) as SftpSecrets, signal)
}
