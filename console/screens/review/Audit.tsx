import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Page } from '../../parts/Page.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { SearchField } from '../../parts/SearchField.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { AuditLine } from './AuditLine.tsx'
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
      data(api.GET('/audit', { params: { query: { ...search, limit: PAGE, ...(after && { after }) } }, signal })),
    getNextPageParam: (page) => (page.length < PAGE ? undefined : String(page.at(-1)?.id)),
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
  const read = useAudit(search)
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const entries = read.data.pages.flat()
  if (entries.length === 0) return <Empty title={t('auditEmpty')}>{t('auditEmptyWhy')}</Empty>
  return (
    <>
      <ul className={styles['lines']} aria-label={t('audit')}>
        {entries.map((entry) => (
          <AuditLine key={entry.id} entry={entry} />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
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
