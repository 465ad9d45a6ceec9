import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditLine } from './AuditLine.tsx'
import { PagedLines } from './PagedLines.tsx'
import styles from './Review.module.css'
import { AUDIT_FILTERS } from './routes.ts'
import { reviewTexts } from './texts.ts'
import { useAuditDownload, useAuditEntries } from './use-audit.ts'

const route = getRouteApi('/settings/audit')

function Trail() {
  const t = useTranslator(reviewTexts)
  const search = route.useSearch()
  const read = useAuditEntries(search)
  const file = useAuditDownload(search)
  const isNarrowed = AUDIT_FILTERS.some((name) => search[name] !== undefined)
  return (
    <SettingsPage
      action={
        <Button variant="default" loading={file.isBusy} onClick={() => void file.run()} title={t('fileWhy')}>
          {t('file')}
        </Button>
      }
    >
      <p className={styles['note']}>{t('auditNote')}</p>
      {file.error !== null && <ProblemAlert error={file.error} title={t('fileFailed')} />}
      <AuditFilters entries={read.data?.pages.flatMap(({ items }) => items) ?? []} />
      <PagedLines
        label={t('audit')}
        read={read}
        empty={
          <EmptyState title={t(isNarrowed ? 'auditNone' : 'auditEmpty')}>
            {t(isNarrowed ? 'auditNoneWhy' : 'auditEmptyWhy')}
          </EmptyState>
        }
        line={(entry) => <AuditLine key={entry.id} entry={entry} />}
      />
    </SettingsPage>
  )
}

/** Who changed what, newest first, with what was there before. */
export function AuditPage() {
  const t = useTranslator(reviewTexts)
  if (useHasRight('admin')) return <Trail />
  return (
    <SettingsPage>
      <EmptyState title={t('adminsOnly')} />
    </SettingsPage>
  )
}
