import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient, buildApiUrl } from '../../../api/client.ts'
import { useContactFields } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { type ApiImportRun, type ImportReject, type ListedApiImport, readFirstRejects } from '../calls.ts'
import styles from '../ImportsPage.module.css'
import { importTexts } from '../texts.ts'
import { ImportOutcome } from './ImportOutcome.tsx'

const REJECT_REASONS = [
  'constraint',
  'duplicate',
  'invalid-value',
  'mandatory-empty',
  'too-long',
  'unicity-missing',
  'unknown-label',
  'unknown-status',
] as const

function RunProgress({ run }: { run: ApiImportRun }) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const canWrite = useHasRight('write')
  const { bytes, lines, total } = run.progress
  const stopRun = useAsyncAction(async () => {
    const path = { id: String(run.import), execution: String(run.id) }
    await apiClient.cancelImportExecution({ path })
    showToast(t('cancelled'))
  })
  return (
    <div className={styles['progress']}>
      <Progress value={total > 0 ? (100 * bytes) / total : 0} size={6} aria-label={t('running')} />
      <div className={styles['foot']}>
        <span className="digits" role="status">
          {t('lines', { lines, count: lines })} ·{' '}
          {t('progress', { done: format.bytes(bytes), total: format.bytes(total) })}
        </span>
        {canWrite && (
          <Button size="compact-sm" variant="default" loading={stopRun.isBusy} onClick={() => void stopRun.run()}>
            {t('cancel')}
          </Button>
        )}
      </div>
      {stopRun.error !== null && <ProblemAlert error={stopRun.error} />}
    </div>
  )
}

function RejectRow({ reject: { line, reason, column, content } }: { reject: ImportReject }) {
  const t = useTranslator(importTexts)
  const fields = useContactFields().data ?? []
  const knownReason = REJECT_REASONS.find((candidate) => candidate === reason)
  const isEmail =
    knownReason === 'invalid-value' && fields.some(({ name, type }) => name === column && type === 'email')
  return (
    <tr>
      <td data-number>{line}</td>
      <td>{isEmail ? t('reason.invalid-email') : knownReason ? t(`reason.${knownReason}`) : reason}</td>
      <td>
        <bdi>{column}</bdi>
      </td>
      <td>
        <bdi>{content.slice(0, 200)}</bdi>
      </td>
    </tr>
  )
}

function RejectList({ run }: { run: ApiImportRun }) {
  const t = useTranslator(importTexts)
  const rejectsQuery = useQuery({
    queryKey: ['imports', run.import, 'rejects', run.id],
    queryFn: ({ signal }) => readFirstRejects(run.import, run.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const path = `/imports/${run.import}/executions/${run.id}/rejects`
  const shownRejects = rejectsQuery.data?.slice(0, 50) ?? []
  const downloadButton = (
    <Button component="a" href={buildApiUrl(path)} download size="compact-sm" variant="default">
      {t('rejectsAll')}
    </Button>
  )
  return (
    <PagePanel title={t('rejects')} tools={downloadButton}>
      {rejectsQuery.error && <ProblemAlert error={rejectsQuery.error} onRetry={() => void rejectsQuery.refetch()} />}
      {shownRejects.length > 0 && (
        <>
          <PlainTable label={t('rejects')}>
            <thead>
              <tr>
                <th scope="col" data-number>
                  {t('line')}
                </th>
                <th scope="col">{t('reason')}</th>
                <th scope="col">{t('column', { column: '' })}</th>
                <th scope="col">{t('content')}</th>
              </tr>
            </thead>
            <tbody>
              {shownRejects.map((reject) => (
                <RejectRow key={Object.values(reject).join(' ')} reject={reject} />
              ))}
            </tbody>
          </PlainTable>
          {shownRejects.length < run.rejected && <small>{t('rejectsFirst', { count: shownRejects.length })}</small>}
        </>
      )}
    </PagePanel>
  )
}

/** One run: how far it is, what it did or would do, what it refused and why. */
export function ImportRunFigures({ of, run }: { of: ListedApiImport; run: ApiImportRun }) {
  const t = useTranslator(importTexts)
  const runFigures = [
    [run.created, t(run.dryRun ? 'wouldCreate' : 'created'), t('createdWhy')],
    [run.updated, t(run.dryRun ? 'wouldUpdate' : 'updated'), t('updatedWhy')],
    [run.skipped, t('skipped'), t('skippedWhy')],
    [run.duplicates, t('duplicates'), t('duplicatesWhy')],
    [run.rejected, t(run.dryRun ? 'wouldReject' : 'rejected'), t('rejectedWhy')],
    [run.blocked, t(run.dryRun ? 'wouldBlock' : 'blocked'), t('blockedWhy')],
  ] as const
  return (
    <div className={styles['page']}>
      {run.state === 0 && <RunProgress run={run} />}
      {run.error && run.error.type !== 'cancelled' && <ProblemAlert error={run.error} fallback={run.error.detail} />}
      {run.state === 1 && !run.dryRun && <ImportOutcome of={of} run={run} />}
      <StatFigures>
        {runFigures.map(([value, label, definition]) => (
          <StatFigure key={label} label={label} definition={definition}>
            <FormattedNumber value={value} />
          </StatFigure>
        ))}
      </StatFigures>
      {run.warnings.length > 0 && (
        <PagePanel title={t('warnings')}>
          <ul className={styles['warnings']}>
            {run.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </PagePanel>
      )}
      {run.state !== 0 && run.rejected + run.duplicates > 0 && <RejectList run={run} />}
    </div>
  )
}
