import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { FactList, type LabelledFact, PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { ApiImportRun, ListedApiImport } from '../calls.ts'
import styles from '../ImportsPage.module.css'
import { toSchedulerForm, useScheduleDescription } from '../settings/schedule.ts'
import { importTexts } from '../texts.ts'
import { ImportRunStateBadge } from './ImportRunStateBadge.tsx'

/** The name that an upload came with: before it stand ten digits of its own. */
export const originalUploadName = (filename: string): string => filename.replace(/^[0-9A-F]{10}_/i, '')

function ImportSourceDetails({ of }: { of: ListedApiImport }) {
  const t = useTranslator(importTexts)
  const { source } = of
  const scheduler = toSchedulerForm(of.scheduler, useLocaleFormat().zone)
  const describeSchedule = useScheduleDescription()
  const sourceDetails: LabelledFact[] = [
    ...(source.type === 'ftp'
      ? [
          {
            key: 'folder',
            label: t('folder'),
            value: <bdi>{`${source.folder ?? ''}/${source.templateFilename ?? '*'}`}</bdi>,
          },
        ]
      : [
          {
            key: 'file',
            label: t('file'),
            value: <bdi>{source.filename === null ? t('noFile') : originalUploadName(source.filename)}</bdi>,
          },
        ]),
    ...(scheduler
      ? [
          {
            key: 'scheduler',
            label: t('scheduler'),
            value: scheduler.enabled ? describeSchedule(scheduler) : t('scheduleOff'),
          },
        ]
      : []),
    ...(scheduler?.nextDate
      ? [{ key: 'next', label: t('next'), value: <FormattedTime at={scheduler.nextDate} as="moment" /> }]
      : []),
  ]
  return <FactList facts={sourceDetails} />
}

interface Props {
  of: ListedApiImport
  runs: readonly ApiImportRun[]
  shown: ApiImportRun | undefined
  children: ReactNode
}

/** Source and schedule of an import, and its runs, newest first. */
export function ImportSidePanel({ of, runs, shown: shownRun, children }: Props) {
  const t = useTranslator(importTexts)
  return (
    <>
      <PagePanel title={t('source')}>
        <ImportSourceDetails of={of} />
        {children}
      </PagePanel>
      {runs.length > 0 && (
        <PagePanel title={t('runs')}>
          <ul className={styles['history']}>
            {runs.map((run) => (
              <li key={run.id} aria-current={run === shownRun || undefined}>
                <Link to="/imports/$id" params={{ id: String(of.id) }} search={{ run: run.id }}>
                  <FormattedTime at={run.startDate} />
                </Link>
                {run.dryRun && <small>{t('dryRun')}</small>}
                <ImportRunStateBadge run={run} />
              </li>
            ))}
          </ul>
        </PagePanel>
      )}
    </>
  )
}
