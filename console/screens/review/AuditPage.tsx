import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditLine } from './AuditLine.tsx'
import { AUDIT_FILTERS } from './address.ts'
import { PagedLines } from './PagedLines.tsx'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import { useAuditDownload, useAuditEntries } from './use-audit.ts'

const route = getRouteApi('/settings/audit')

function AuditTrail() {
  const t = useTranslator(reviewTexts)
  const search = route.useSearch()
  const entriesQuery = useAuditEntries(search)
  const auditDownload = useAuditDownload(search)
  const isNarrowed = AUDIT_FILTERS.some((name) => search[name] !== undefined)
  return (
    <SettingsPage
      action={
        <Button
          variant="default"
          loading={auditDownload.isBusy}
          onClick={() => void auditDownload.run()}
          title={t('fileWhy')}
        >
          {t('file')}
        </Button>
      }
    >
      <p className={styles['note']}>{t('auditNote')}</p>
      {auditDownload.error !== null && <ProblemAlert error={auditDownload.error} title={t('fileFailed')} />}
      <AuditFilters entries={entriesQuery.data?.pages.flatMap(({ items }) => items) ?? []} />
      <PagedLines
        label={t('audit')}
        read={entriesQuery}
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

/** Changes with their authors and previous values, newest first. */
export function AuditPage() {
  const t = useTranslator(reviewTexts)
  if (useHasRight('admin')) return <AuditTrail />
  return (
    <SettingsPage>
      <EmptyState title={t('adminsOnly')} />
    </SettingsPage>
  )
}
