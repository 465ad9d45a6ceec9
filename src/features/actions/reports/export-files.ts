import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { actionChannels } from '../../../channels/facts.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { enqueue, isQueued, type Tasks } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readDownload, signDownload } from '../../../lib/crypto/download-tokens.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { actionId, uuidV7 } from '../../../lib/ids.ts'
import { sendAccountMail } from '../../account-mail/account-mail.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { type ExportKind, type ExportOf, exportText } from '../../events/history/action-exports.ts'
import { withEvents } from '../../events/history/older-events.ts'
import { type Files, keptFiles, openFiles } from '../../files/file-store.ts'

/** How long a file is kept, and its address good: seven days. */
const KEPT_MS = 7 * 24 * 3600 * 1000

const words = {
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
  { subject: (name: string) => string; kinds: Record<ExportKind, string>; text: (until: string) => string }
>

const directoryOf = (dataDir: string): string => join(dataDir, 'exports')
const nameOf = (id: string): string => `exports/${id}.csv`

/** Asks for a file, unless one of the kind is being made of the action, or there is no recipient for its address. */
export async function requestExport(db: Db, { account, action, kind }: ExportOf, now: number): Promise<void> {
  const { reportAddresses } = await readSendingSettings(db, account)
  if (reportAddresses.length === 0) return
  const key = `actions.export ${action} ${kind}`
  if (!(await isQueued(db, key)))
    await enqueue(db, 'actions.export', { account, action, kind, export: uuidV7(now) }, { key })
}

/**
 * Writes the file unless an earlier try of the job has; gives when it expires. Its row is there before it is. Each try
 * writes a draft of its own: another process may be at it that does not know yet that it has lost the job.
 */
async function writeFile(
  { db, config, clock }: Context,
  of: ExportOf,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<Date> {
  const files = openFiles(config)
  const { account, action, kind } = of
  const { rows } = await sql<{ expires_at: Date }>`
    insert into action_exports as x (id, account, action, kind, expires_at)
    values (${id}, ${account}, ${action}, ${kind}, ${new Date(clock.now() + KEPT_MS)})
    on conflict (id) do update set expires_at = x.expires_at returning expires_at`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an export has no row')
  if ((await files.size(nameOf(id))) !== undefined) return row.expires_at
  await mkdir(directoryOf(config.dataDir), { recursive: true })
  const draft = join(directoryOf(config.dataDir), `${id}.csv.${uuidV7(clock.now())}.part`)
  try {
    await pipeline(exportText(db, of), createWriteStream(draft), signal ? { signal } : {})
    await files.keep(nameOf(id), draft)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return row.expires_at
}

/** Makes the file of an export and mails its address, unless `signal` aborts. Throws when it is to be tried again. */
export async function makeExport(
  context: Context,
  payload: Tasks['actions.export'],
  signal?: AbortSignal,
): Promise<void> {
  const { db, config, tokens } = context
  const { account, action, kind, export: id } = payload
  const known = await db
    .selectFrom('actions')
    .select('name')
    .where('account', '=', account)
    .where('id', '=', action)
    .executeTakeFirst()
  const { reportAddresses, culture } = await readSendingSettings(db, account)
  if (!known || reportAddresses.length === 0) return
  const expires = await writeFile(context, { account, action, kind }, { id, signal })
  const own = culture.startsWith('fr') ? words.fr : words.en
  const url = `${config.publicUrl}/exports/${signDownload(tokens, 'export', { account, id, expiresAt: expires.getTime() })}`
  const text = `${own.kinds[kind]} (${actionId(action)})\n${own.text(expires.toISOString())}\n\n${url}\n`
  const mail = { account, to: reportAddresses, subject: own.subject(known.name), text }
  await sendAccountMail(context, mail, signal)
}

/** A file that was made, and whose it is. */
export interface OpenExport {
  account: AccountId
  id: string
  name: string
  size: number
  content: () => Readable
}

/** The mail with an address leaves after its file is made: one that is not here was made on another machine. */
function exportElsewhere(): Problem {
  return new Problem(
    503,
    'file-elsewhere',
    'The file is not on this machine. Machines that do not share their data directory need a storage that they share: ask the operator to set STENTOR_ARCHIVES.',
  )
}

/**
 * The file behind the token of an address; undefined when the token is none or void, or the file has expired. Throws the
 * Problem `file-elsewhere`.
 */
export async function openExport(
  { db, clock, tokens, config }: Pick<Context, 'db' | 'clock' | 'tokens' | 'config'>,
  token: string,
): Promise<OpenExport | undefined> {
  const download = readDownload(tokens, 'export', token, clock.now())
  if (!download) return undefined
  const row = await db
    .selectFrom('action_exports')
    .select(['action', 'kind'])
    .where('id', '=', download.id)
    .where('account', '=', download.account)
    .executeTakeFirst()
  if (!row) return undefined
  const [files, stored] = [openFiles(config), nameOf(download.id)]
  const size = await files.size(stored)
  if (size === undefined) throw exportElsewhere()
  return {
    account: download.account,
    id: download.id,
    name: `${actionId(row.action)}-${row.kind}.csv`,
    size,
    content: () => files.read(stored),
  }
}

/** Deletes the rows of exports that name contacts: those of actions that wrote to them. Their files go with the next cleaning. */
export async function eraseExports(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  const wanted = { account, contacts, channels: actionChannels, paths: [] }
  // Few accounts have any: then nothing needs to be known of their events.
  const asked = async (own: Db) => {
    const { rows } = await sql`select from action_exports where account = ${account} limit 1`.execute(own)
    return rows.length === 0 ? [] : [wanted]
  }
  await withEvents(tx, asked, (own, events) =>
    sql`
    delete from action_exports x where x.account = ${account} and x.action in (
      select e.subject from ${events} e
      where e.account = ${account} and e.contact = any(${contacts}::bigint[]) and e.channel = any(${actionChannels}::text[]))`.execute(
      own,
    ),
  )
}

/** Deletes exports past their time, and files that have no row. */
export async function cleanExports({ db, config, clock }: Pick<Context, 'db' | 'config' | 'clock'>): Promise<void> {
  await db.deleteFrom('action_exports').where('expires_at', '<=', new Date(clock.now())).execute()
  const names = await readdir(directoryOf(config.dataDir)).catch(() => [])
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as n (name)
    where not exists (select from action_exports x where x.id::text = split_part(name, '.', 1))`.execute(db)
  for (const { name } of rows) await rm(join(directoryOf(config.dataDir), name), { force: true })
  await cleanBucket(db, config)
}

/** Deletes files without a row from the bucket; a row is there before its file. */
async function cleanBucket(db: Db, config: Files): Promise<void> {
  const kept = await Array.fromAsync(keptFiles(config, 'exports/'))
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${kept}::text[]) as n (name)
    where not exists (select from action_exports x where 'exports/' || x.id || '.csv' = name)`.execute(db)
  for (const { name } of rows) await openFiles(config).remove(name)
}
