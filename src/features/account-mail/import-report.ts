import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { formatRejectsCsv } from '../imports/run/executions.ts'
import { sendAccountMail } from './account-mail.ts'

const MAX_REJECTS = 10_000
const TRIES = 8

interface Ended {
  id: number
  account: AccountId
  name: string
  state: number
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
  warnings: string[]
  error: { type: string; detail: string } | null
  filename: string | null
}

const words = {
  fr: {
    subject: (name: string) => `Import « ${name} » : terminé`,
    failed: (name: string) => `Import « ${name} » : en erreur`,
    lines: {
      file: 'Fichier',
      created: 'Contacts créés',
      updated: 'Contacts modifiés',
      skipped: 'Lignes sans changement',
      duplicates: 'Doublons',
      rejected: 'Lignes rejetées',
      error: 'Erreur',
      warnings: 'Avertissements',
    },
    attached: 'Les lignes rejetées sont jointes (10 000 au plus).',
  },
  en: {
    subject: (name: string) => `Import "${name}": completed`,
    failed: (name: string) => `Import "${name}": failed`,
    lines: {
      file: 'File',
      created: 'Contacts created',
      updated: 'Contacts changed',
      skipped: 'Lines without a change',
      duplicates: 'Duplicates',
      rejected: 'Rejected lines',
      error: 'Error',
      warnings: 'Warnings',
    },
    attached: 'The rejected lines are attached (10,000 at most).',
  },
}

function textOf({ lines, attached }: (typeof words)['en'], run: Ended): string {
  const values = { ...run, file: run.filename, error: run.error?.detail, warnings: run.warnings.join('; ') || null }
  const rows = Object.entries(lines).flatMap(([member, label]) => {
    const value = values[member as keyof typeof lines]
    return value === null || value === undefined ? [] : [`${label}: ${value}`]
  })
  return `${rows.join('\n')}\n${run.rejected > 0 ? `\n${attached}\n` : ''}`
}

async function rejectsOf({ db }: Pick<ServiceContext, 'db'>, execution: number): Promise<Buffer> {
  let text = ''
  let rows = -1
  for await (const row of formatRejectsCsv(db, execution)) {
    if (rows === MAX_REJECTS) break
    text += row
    rows++
  }
  return Buffer.from(text)
}

/**
 * Mails the report of a run that has ended to `reportAddresses` of the account, in its language; to no recipient when there
 * are none. Each address has a job of its own (`to`), so that one which is put off does not repeat the others. Throws
 * MailDeferredError when it is to be tried again. `signal` breaks the sending off.
 */
export async function mailImportReport(
  context: ServiceContext,
  { execution, to }: { execution: number; to?: string },
  signal?: AbortSignal,
): Promise<void> {
  const { db } = context
  const { rows } = await sql<Ended>`
    select e.id, e.account, i.name, e.state, e.created, e.updated, e.rejected, e.duplicates, e.skipped, e.warnings, e.error,
      e.content #>> '{source,filename}' as filename
    from import_executions e join imports i on i.id = e.import where e.id = ${execution}`.execute(db)
  const [run] = rows
  if (!run) return
  const { reportAddresses, culture } = await readSendingSettings(db, run.account)
  if (to === undefined) {
    const jobs = reportAddresses.map((address) =>
      enqueueTask(db, 'imports.report', { execution, to: address }, { maxAttempts: TRIES }),
    )
    await Promise.all(jobs)
    return
  }
  const own = culture.startsWith('fr') ? words.fr : words.en
  const attachments =
    run.rejected > 0 ? [{ name: 'rejects.csv', type: 'text/csv', content: await rejectsOf(context, execution) }] : []
  const subject = run.state === 1 ? own.subject(run.name) : own.failed(run.name)
  const mail = { account: run.account, to: [to], subject, text: textOf(own, run), attachments }
  await sendAccountMail(context, mail, signal)
}
