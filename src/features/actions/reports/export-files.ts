import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { actionChannelNames } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { enqueueTask, isTaskQueued, type TaskPayloads } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseDownloadToken, signDownloadToken } from '../../../lib/crypto/download-tokens.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { createUuidV7, formatActionId } from '../../../lib/ids.ts'
import { sendAccountMail } from '../../account-mail/account-mail.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { type ActionExportKind, type ActionExportScope, exportActionCsv } from '../../events/history/action-exports.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import { type FileStoreConfig, listBucketFiles, openFileStore } from '../../files/file-store.ts'

/** Retention of a file, and validity of its download URL: seven days. */
const EXPORT_RETENTION_MS = 7 * 24 * 3600 * 1000

const MAIL_TEXTS = {
  fr: {
    subject: (name: string) => `Export de « ${name} »`,
    kinds: { recipients: 'Destinataires', opens: 'Ouvertures', clicks: 'Clics' },
    text: (until: string) => `Le fichier peut être téléchargé jusqu'au ${until} :`,
  },
  en: {
    subject: (name: string) => `Export of "${name}"`,
    kinds: { recipients: 'Recipients', opens: 'Opens', clicks: 'Clicks' },
    text: (until: string) => `The file can be downloaded until ${until}:`,
  },
} satisfies Record<
  string,
  { subject: (name: string) => string; kinds: Record<ActionExportKind, string>; text: (until: string) => string }
>

const getExportDirectory = (dataDir: string): string => join(dataDir, 'exports')
const getExportPath = (id: string): string => `exports/${id}.csv`

/** Asks for a file, unless one of the kind is being made of the action, or there is no recipient for its address. */
export async function requestActionExport(
  db: Db,
  { account, action, kind }: ActionExportScope,
  now: number,
): Promise<void> {
  const { reportAddresses } = await readSendingSettings(db, account)
  if (reportAddresses.length === 0) return
  const key = `actions.export ${action} ${kind}`
  if (!(await isTaskQueued(db, key)))
    await enqueueTask(db, 'actions.export', { account, action, kind, export: createUuidV7(now) }, { key })
}

/**
 * Writes the file unless an earlier try of the job has; gives when it expires. Its row is there before it is. Each try
 * writes a draft of its own: another process may be at it that does not know yet that it has lost the job.
 */
async function writeExportFile(
  { db, config, clock }: ServiceContext,
  of: ActionExportScope,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<Date> {
  const files = openFileStore(config)
  const { account, action, kind } = of
  const { rows } = await sql<{ expires_at: Date }>`
    insert into action_exports as x (id, account, action, kind, expires_at)
    values (${id}, ${account}, ${action}, ${kind}, ${new Date(clock.now() + EXPORT_RETENTION_MS)})
    on conflict (id) do update set expires_at = x.expires_at returning expires_at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('export has no row')
  if ((await files.size(getExportPath(id))) !== undefined) return row.expires_at
  await mkdir(getExportDirectory(config.dataDir), { recursive: true })
  const temporaryPath = join(getExportDirectory(config.dataDir), `${id}.csv.${createUuidV7(clock.now())}.part`)
  try {
    await pipeline(exportActionCsv(db, of), createWriteStream(temporaryPath), signal ? { signal } : {})
    await files.keep(getExportPath(id), temporaryPath)
  } catch (error) {
    await rm(temporaryPath, { force: true })
    throw error
  }
  return row.expires_at
}

/** Makes the file of an export and mails its address, unless `signal` aborts. Throws when it is to be tried again. */
export async function writeActionExport(
  context: ServiceContext,
  payload: TaskPayloads['actions.export'],
  signal?: AbortSignal,
): Promise<void> {
  const { db, config, tokens } = context
  const { account, action, kind, export: id } = payload
  const actionRow = await db
    .selectFrom('actions')
    .select('name')
    .where('account', '=', account)
    .where('id', '=', action)
    .executeTakeFirst()
  const { reportAddresses, culture } = await readSendingSettings(db, account)
  if (!actionRow || reportAddresses.length === 0) return
  const expiryDate = await writeExportFile(context, { account, action, kind }, { id, signal })
  const localeTexts = culture.startsWith('fr') ? MAIL_TEXTS.fr : MAIL_TEXTS.en
  const url = `${config.publicUrl}/exports/${signDownloadToken(tokens, 'export', { account, id, expiresAt: expiryDate.getTime() })}`
  const text = `${localeTexts.kinds[kind]} (${formatActionId(action)})\n${localeTexts.text(expiryDate.toISOString())}\n\n${url}\n`
  const mail = { account, to: reportAddresses, subject: localeTexts.subject(actionRow.name), text }
  await sendAccountMail(context, mail, signal)
}

/** A file that was made, and whose it is. */
export interface ActionExportFile {
  account: AccountId
  id: string
  name: string
  size: number
  content: () => Readable
}

/** The mail with an address leaves after its file is made: one that is not here was made on another machine. */
function createElsewhereProblem(): Problem {
  return new Problem(
    503,
    'file-elsewhere',
    'The file is on another machine. Machines without a shared data directory require shared storage. Ask the operator to set STENTOR_ARCHIVES.',
  )
}

/**
 * File of a download token; `undefined` if the token is invalid or revoked, or the file has expired. Throws the Problem `file-elsewhere`.
 */
export async function openActionExport(
  { db, clock, tokens, config }: Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'config'>,
  token: string,
): Promise<ActionExportFile | undefined> {
  const download = parseDownloadToken(tokens, 'export', token, clock.now())
  if (!download) return undefined
  const row = await db
    .selectFrom('action_exports')
    .select(['action', 'kind'])
    .where('id', '=', download.id)
    .where('account', '=', download.account)
    .executeTakeFirst()
  if (!row) return undefined
  const [files, filePath] = [openFileStore(config), getExportPath(download.id)]
  const size = await files.size(filePath)
  if (size === undefined) throw createElsewhereProblem()
  return {
    account: download.account,
    id: download.id,
    name: `${formatActionId(row.action)}-${row.kind}.csv`,
    size,
    content: () => files.read(filePath),
  }
}

/** Deletes the rows of exports that name contacts: those of actions that wrote to them. Their files go with the next cleaning. */
export async function eraseActionExports(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  const eventFilter = { account, contacts, channels: actionChannelNames, paths: [] }
  // Few accounts have any: then nothing needs to be known of their events.
  const hasExports = async (accountDb: Db) => {
    const { rows } = await sql`select from action_exports where account = ${account} limit 1`.execute(accountDb)
    return rows.length === 0 ? [] : [eventFilter]
  }
  await withEventTable(tx, hasExports, (exportDb, events) =>
    sql`
    delete from action_exports x where x.account = ${account} and x.action in (
      select e.subject from ${events} e
      where e.account = ${account} and e.contact = any(${contacts}::bigint[]) and e.channel = any(${actionChannelNames}::text[]))`.execute(
      exportDb,
    ),
  )
}

/** Deletes exports past their time, and files that have no row. */
export async function purgeActionExports({
  db,
  config,
  clock,
}: Pick<ServiceContext, 'db' | 'config' | 'clock'>): Promise<void> {
  await db.deleteFrom('action_exports').where('expires_at', '<=', new Date(clock.now())).execute()
  const fileNames = await readdir(getExportDirectory(config.dataDir)).catch(() => [])
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${fileNames}::text[]) as n (name)
    where not exists (select from action_exports x where x.id::text = split_part(name, '.', 1))`.execute(db)
  for (const { name } of rows) await rm(join(getExportDirectory(config.dataDir), name), { force: true })
  await purgeBucket(db, config)
}

/** Deletes files without a row from the bucket; a row is there before its file. */
async function purgeBucket(db: Db, config: FileStoreConfig): Promise<void> {
  const bucketFiles = await Array.fromAsync(listBucketFiles(config, 'exports/'))
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${bucketFiles}::text[]) as n (name)
    where not exists (select from action_exports x where 'exports/' || x.id || '.csv' = name)`.execute(db)
  for (const { name } of rows) await openFileStore(config).remove(name)
}
