import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { formatRejectsCsv } from '../imports/run/executions.ts'
import { sendAccountMail } from './account-mail.ts'

const MAX_ATTACHED_REJECTS = 10_000
const MAX_TASK_TRIES = 8

interface FinishedImport {
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

const reportTexts = {
  fr: {
    subject: (name: string) => `Import « ${name} » : terminé`,
    failed: (name: string) => `Import « ${name} » : échec`,
    colon: ' : ',
    lines: {
      file: 'Fichier',
      created: 'Contacts créés',
      updated: 'Contacts mis à jour',
      skipped: 'Lignes inchangées',
      duplicates: 'Doublons',
      rejected: 'Lignes rejetées',
      error: 'Erreur',
      warnings: 'Avertissements',
    },
    attached: 'Les lignes rejetées sont en pièce jointe (10 000 au maximum).',
  },
  en: {
    subject: (name: string) => `Import "${name}": completed`,
    failed: (name: string) => `Import "${name}": failed`,
    colon: ': ',
    lines: {
      file: 'File',
      created: 'Contacts created',
      updated: 'Contacts updated',
      skipped: 'Unchanged lines',
      duplicates: 'Duplicates',
      rejected: 'Rejected lines',
      error: 'Error',
      warnings: 'Warnings',
    },
    attached: 'The rejected lines are attached (at most 10,000).',
  },
}

function formatReportText({ lines, colon, attached }: (typeof reportTexts)['en'], run: FinishedImport): string {
  const values = { ...run, file: run.filename, error: run.error?.detail, warnings: run.warnings.join('; ') || null }
  const rows = Object.entries(lines).flatMap(([member, label]) => {
    const value = values[member as keyof typeof lines]
    return value === null || value === undefined ? [] : [`${label}${colon}${value}`]
  })
  return `${rows.join('\n')}\n${run.rejected > 0 ? `\n${attached}\n` : ''}`
}

async function buildRejectsAttachment({ db }: Pick<ServiceContext, 'db'>, execution: number): Promise<Buffer> {
  let text = ''
  let rows = -1
  for await (const row of formatRejectsCsv(db, execution)) {
    if (rows === MAX_ATTACHED_REJECTS) break
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
  const { rows } = await sql<FinishedImport>`
    select e.id, e.account, i.name, e.state, e.created, e.updated, e.rejected, e.duplicates, e.skipped, e.warnings, e.error,
      e.content #>> '{source,filename}' as filename
    from import_executions e join imports i on i.id = e.import where e.id = ${execution}`.execute(db)
  const [importRun] = rows
  if (!importRun) return
  const { reportAddresses, culture } = await readSendingSettings(db, importRun.account)
  if (to === undefined) {
    const reportTasks = reportAddresses.map((address) =>
      enqueueTask(db, 'imports.report', { execution, to: address }, { maxAttempts: MAX_TASK_TRIES }),
    )
    await Promise.all(reportTasks)
    return
  }
  const localeTexts = culture.startsWith('fr') ? reportTexts.fr : reportTexts.en
  const attachments =
    importRun.rejected > 0
      ? [{ name: 'rejects.csv', type: 'text/csv', content: await buildRejectsAttachment(context, execution) }]
      : []
  const subject = importRun.state === 1 ? localeTexts.subject(importRun.name) : localeTexts.failed(importRun.name)
  const reportMail = {
    account: importRun.account,
    to: [to],
    subject,
    text: formatReportText(localeTexts, importRun),
    attachments,
  }
  await sendAccountMail(context, reportMail, signal)
}
