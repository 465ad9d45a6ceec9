import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Fact, Facts, Panel } from '../../../components/layout/Panel.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type { Import, Run } from '../calls.ts'
import styles from '../Imports.module.css'
import { schedulerOf, useScheduleWords } from '../settings/schedule.ts'
import { importTexts } from '../texts.ts'
import { RunState } from './RunState.tsx'

/** The name that an upload came with: before it stand ten digits of its own. */
export const uploadedName = (filename: string): string => filename.replace(/^[0-9A-F]{10}_/i, '')

function Source({ of }: { of: Import }) {
  const t = useText(importTexts)
  const { source } = of
  const scheduler = schedulerOf(of.scheduler, useFormat().zone)
  const words = useScheduleWords()
  const facts: Fact[] = [
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
            value: <bdi>{source.filename === null ? t('noFile') : uploadedName(source.filename)}</bdi>,
          },
        ]),
    ...(scheduler
      ? [
          {
            key: 'scheduler',
            label: t('scheduler'),
            value: scheduler.enabled ? words(scheduler) : t('scheduleOff'),
          },
        ]
      : []),
    ...(scheduler?.nextDate
      ? [{ key: 'next', label: t('next'), value: <Time at={scheduler.nextDate} as="moment" /> }]
      : []),
  ]
  return <Facts facts={facts} />
}

interface Props {
  of: Import
  runs: readonly Run[]
  shown: Run | undefined
  children: ReactNode
}

/** What an import reads and when, and its runs, newest first. */
export function Aside({ of, runs, shown, children }: Props) {
  const t = useText(importTexts)
  return (
    <>
      <Panel title={t('source')}>
        <Source of={of} />
        {children}
      </Panel>
      {runs.length > 0 && (
        <Panel title={t('runs')}>
          <ul className={styles['history']}>
            {runs.map((run) => (
              <li key={run.id} aria-current={run === shown || undefined}>
                <Link to="/imports/$id" params={{ id: String(of.id) }} search={{ run: run.id }}>
                  <Time at={run.startDate} />
                </Link>
                {run.dryRun && <small>{t('dryRun')}</small>}
                <RunState run={run} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
