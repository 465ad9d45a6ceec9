import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { addressOf, api } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { useAct } from '../../../components/use-act.ts'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { firstRejects, type Reject, type Run } from '../calls.ts'
import styles from '../Imports.module.css'
import { importTexts } from '../texts.ts'

const reasons = [
  ...(['constraint', 'duplicate', 'invalid-value', 'mandatory-empty', 'too-long'] as const),
  ...(['unicity-missing', 'unknown-label', 'unknown-status'] as const),
]

function Going({ run }: { run: Run }) {
  const t = useText(importTexts)
  const format = useFormat()
  const may = useMay('write')
  const { bytes, lines, total } = run.progress
  const stop = useAct(async () => {
    const path = { id: String(run.import), execution: String(run.id) }
    await api.DELETE('/imports/{id}/executions/{execution}', { params: { path } })
    tell(t('cancelled'))
  })
  return (
    <div className={styles['progress']}>
      <Progress value={total > 0 ? (100 * bytes) / total : 0} size={6} aria-label={t('running')} />
      <div className={styles['foot']}>
        <span className="digits" role="status">
          {t('lines', { lines })} · {t('progress', { done: format.bytes(bytes), total: format.bytes(total) })}
        </span>
        {may && (
          <Button size="compact-sm" variant="default" loading={stop.isBusy} onClick={() => void stop.run()}>
            {t('cancel')}
          </Button>
        )}
      </div>
      {stop.error !== null && <Problem error={stop.error} />}
    </div>
  )
}

function RejectRow({ reject: { line, reason, column, content } }: { reject: Reject }) {
  const t = useText(importTexts)
  const known = reasons.find((one) => one === reason)
  return (
    <tr>
      <td data-number>{line}</td>
      <td>{known ? t(`reason.${known}`) : reason}</td>
      <td>
        <bdi>{column}</bdi>
      </td>
      <td>
        <bdi>{content.slice(0, 200)}</bdi>
      </td>
    </tr>
  )
}

function Rejects({ run }: { run: Run }) {
  const t = useText(importTexts)
  const read = useQuery({
    queryKey: ['imports', run.import, 'rejects', run.id],
    queryFn: ({ signal }) => firstRejects(run.import, run.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const path = `/imports/${run.import}/executions/${run.id}/rejects`
  const shown = read.data?.slice(0, 50) ?? []
  const all = (
    <Button component="a" href={addressOf(path)} download size="compact-sm" variant="default">
      {t('rejectsAll')}
    </Button>
  )
  return (
    <Panel title={t('rejects')} tools={all}>
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {shown.length > 0 && (
        <>
          <Sheet label={t('rejects')}>
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
              {shown.map((reject) => (
                <RejectRow key={Object.values(reject).join(' ')} reject={reject} />
              ))}
            </tbody>
          </Sheet>
          {shown.length < run.rejected && <small>{t('rejectsFirst', { count: shown.length })}</small>}
        </>
      )}
    </Panel>
  )
}

/** One run: how far it is, what it did or would do, what it refused and why. */
export function RunFigures({ run }: { run: Run }) {
  const t = useText(importTexts)
  const figures = [
    [run.created, t(run.dryRun ? 'wouldCreate' : 'created'), t('createdWhy')],
    [run.updated, t(run.dryRun ? 'wouldUpdate' : 'updated'), t('updatedWhy')],
    [run.skipped, t('skipped'), t('skippedWhy')],
    [run.duplicates, t('duplicates'), t('duplicatesWhy')],
    [run.rejected, t(run.dryRun ? 'wouldReject' : 'rejected'), t('rejectedWhy')],
    [run.blocked, t(run.dryRun ? 'wouldBlock' : 'blocked'), t('blockedWhy')],
  ] as const
  return (
    <div className={styles['page']}>
      {run.state === 0 && <Going run={run} />}
      {run.error && run.error.type !== 'cancelled' && <Problem error={run.error} fallback={run.error.detail} />}
      <Stats>
        {figures.map(([value, label, definition]) => (
          <Stat key={label} label={label} definition={definition}>
            <Num value={value} />
          </Stat>
        ))}
      </Stats>
      {run.warnings.length > 0 && (
        <Panel title={t('warnings')}>
          <ul className={styles['warnings']}>
            {run.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Panel>
      )}
      {run.state !== 0 && run.rejected + run.duplicates > 0 && <Rejects run={run} />}
    </div>
  )
}
