import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { useText } from '../../text/catalogue.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditLine } from './AuditLine.tsx'
import { Lines } from './Lines.tsx'
import styles from './Review.module.css'
import { AUDIT_FILTERS } from './routes.ts'
import { reviewTexts } from './texts.ts'
import { useAudit, useAuditFile } from './use-audit.ts'

const route = getRouteApi('/settings/audit')

function Trail() {
  const t = useText(reviewTexts)
  const search = route.useSearch()
  const read = useAudit(search)
  const file = useAuditFile(search)
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
      {file.error !== null && <Problem error={file.error} title={t('fileFailed')} />}
      <AuditFilters entries={read.data?.pages.flatMap(({ items }) => items) ?? []} />
      <Lines
        label={t('audit')}
        read={read}
        empty={
          <Empty title={t(isNarrowed ? 'auditNone' : 'auditEmpty')}>
            {t(isNarrowed ? 'auditNoneWhy' : 'auditEmptyWhy')}
          </Empty>
        }
        line={(entry) => <AuditLine key={entry.id} entry={entry} />}
      />
    </SettingsPage>
  )
}

/** Who changed what, newest first, with what was there before. */
export function Audit() {
  const t = useText(reviewTexts)
  if (useMay('admin')) return <Trail />
  return (
    <SettingsPage>
      <Empty title={t('adminsOnly')} />
    </SettingsPage>
  )
}
