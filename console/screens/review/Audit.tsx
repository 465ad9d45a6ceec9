import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, paged } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Page } from '../../parts/Page.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { useText } from '../../text/catalogue.ts'
import { AuditLine } from './AuditLine.tsx'
import { Lines } from './Lines.tsx'
import styles from './Review.module.css'
import { AUDIT_FILTERS, type AuditSearch } from './routes.ts'
import { reviewTexts } from './texts.ts'

const route = getRouteApi('/settings/audit')
const PAGE = 100

function useAudit(search: AuditSearch) {
  return useInfiniteQuery({
    queryKey: ['audit', search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      paged(api.GET('/audit', { params: { query: { ...search, limit: PAGE, ...(after && { after }) } }, signal })),
    getNextPageParam: ({ next }) => next,
  })
}

function Filters() {
  const t = useText(reviewTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof AuditSearch, value: string): void =>
    void navigate({ search: (before) => ({ ...before, [name]: value === '' ? undefined : value }), replace: true })
  return (
    <div className={styles['filters']} role="search">
      {(['who', 'operation', 'object'] as const).map((name) => (
        <SearchField key={name} label={t(name)} value={search[name] ?? ''} onChange={(value) => set(name, value)} />
      ))}
      {(['start', 'end'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          size="xs"
          w={150}
          aria-label={t(name)}
          title={t(name)}
          value={search[name] ?? ''}
          onChange={(event) => set(name, event.currentTarget.value)}
        />
      ))}
      {AUDIT_FILTERS.some((name) => search[name] !== undefined) && (
        <Button variant="subtle" size="compact-sm" onClick={() => void navigate({ search: {}, replace: true })}>
          {t('reset')}
        </Button>
      )}
    </div>
  )
}

function Trail() {
  const t = useText(reviewTexts)
  const search = route.useSearch()
  return (
    <Lines
      label={t('audit')}
      read={useAudit(search)}
      empty={<Empty title={t('auditEmpty')}>{t('auditEmptyWhy')}</Empty>}
      line={(entry) => <AuditLine key={entry.id} entry={entry} />}
    />
  )
}

/** Who changed what, newest first, with what was there before. */
export function Audit() {
  const t = useText(reviewTexts)
  const may = useMay('admin')
  return (
    <Page title={t('audit')} parent={{ label: t('settings'), to: '/settings' }} note={t('auditNote')}>
      {may ? (
        <>
          <Filters />
          <Trail />
        </>
      ) : (
        <Empty title={t('adminsOnly')} />
      )}
    </Page>
  )
}
