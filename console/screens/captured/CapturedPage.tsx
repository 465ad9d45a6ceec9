import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiRefusal } from '../../api/client.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { CAPTURED_CHANNELS, type CapturedSearch } from './address.ts'
import styles from './Captured.module.css'
import { CapturedMessageReader } from './CapturedMessageReader.tsx'
import { type CapturedRow, capturedMessagesQuery, filterCapturedMessages } from './captured.ts'
import { capturedTexts } from './texts.ts'

const route = getRouteApi('/captured')

function useCapturedSearch() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const changeSearch = (change: { [K in keyof CapturedSearch]?: CapturedSearch[K] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }) as CapturedSearch, replace: true })
  return { search, set: changeSearch }
}

function CapturedFilters() {
  const t = useTranslator(capturedTexts)
  const { search, set: changeSearch } = useCapturedSearch()
  return (
    <div className={styles['filters']}>
      <SearchField
        label={t('search')}
        value={search.q ?? ''}
        onChange={(q) => changeSearch({ q: q === '' ? undefined : q })}
      />
      <Select
        size="xs"
        w={120}
        clearable
        aria-label={t('channel')}
        placeholder={t('all')}
        data={CAPTURED_CHANNELS.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? null}
        onChange={(channel) => changeSearch({ channel: channel ?? undefined })}
      />
    </div>
  )
}

function MessageRow({ row, isOpen }: { row: CapturedRow; isOpen: boolean }) {
  const t = useTranslator(capturedTexts)
  const { id, to, subject, channel, date } = row
  return (
    <li>
      <Link to="/captured" search={(before) => ({ ...before, id })} aria-current={isOpen ? 'true' : undefined}>
        <span className={styles['line']}>
          <bdi className={styles['to']}>{to}</bdi>
          <small>
            <FormattedTime at={date} />
          </small>
        </span>
        <span className={styles['line']}>
          <bdi className={styles['subject']}>{subject || t('nothing')}</bdi>
          <small>{t(channel)}</small>
        </span>
      </Link>
    </li>
  )
}

/** Up and down the list by j and k. */
function useListNavigation(rows: readonly CapturedRow[]): void {
  const layoutT = useTranslator(layoutTexts)
  const { search, set: changeSearch } = useCapturedSearch()
  const currentIndex = rows.findIndex(({ id }) => id === search.id)
  const createStep = (by: number) => (): void => {
    const nextRow = rows[Math.max(0, Math.min(rows.length - 1, currentIndex + by))]
    if (nextRow) changeSearch({ id: nextRow.id })
  }
  useShortcut('j', layoutT('keyRows'), createStep(1))
  useShortcut('k', layoutT('keyRows'), createStep(-1))
}

function MessageList({ rows }: { rows: readonly CapturedRow[] }) {
  const t = useTranslator(capturedTexts)
  const { search } = useCapturedSearch()
  const matchingMessages = filterCapturedMessages(rows, search)
  useListNavigation(matchingMessages)
  return (
    <div className={styles['list']}>
      <CapturedFilters />
      {matchingMessages.length === 0 && <p className={styles['quiet']}>{t('noneFound')}</p>}
      <nav aria-label={t('list')} className={styles['scroll']}>
        <ul>
          {matchingMessages.map((row) => (
            <MessageRow key={row.id} row={row} isOpen={row.id === search.id} />
          ))}
        </ul>
      </nav>
    </div>
  )
}

function EmptyMessages() {
  const t = useTranslator(capturedTexts)
  return (
    <EmptyState
      title={t('empty')}
      action={
        <Button component={Link} to="/set-up" {...({ search: { step: 'test' } } as object)}>
          {t('sendTest')}
        </Button>
      }
    >
      {t('emptyWhy')}
    </EmptyState>
  )
}

/** Messages captured instead of sent: the list, with the open message next to it. */
function CapturedMessages() {
  const t = useTranslator(capturedTexts)
  const { id } = route.useSearch()
  const { data: rows, error, isPending, refetch } = useQuery(capturedMessagesQuery)
  const isUnavailable = error instanceof ApiRefusal && error.status === 404
  return (
    <ScreenPage title={t('title')} note={t('about')}>
      {isUnavailable && <EmptyState title={t('away')}>{t('awayWhy')}</EmptyState>}
      {error && !isUnavailable && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <LoadingSkeleton lines={[60, 80, 70, 90]} />}
      {rows && rows.length === 0 && id === undefined && <EmptyMessages />}
      {rows && (rows.length > 0 || id !== undefined) && (
        <div className={styles['panes']} data-reading={id !== undefined || undefined}>
          <MessageList rows={rows} />
          {id === undefined ? (
            <p className={styles['choose']}>{t('choose')}</p>
          ) : (
            <CapturedMessageReader key={id} id={id} />
          )}
        </div>
      )}
    </ScreenPage>
  )
}

/** Captured messages, for those who write: viewers of masked values are refused them. */
export function CapturedPage() {
  return (
    <RightGuard right="write" to="/">
      <CapturedMessages />
    </RightGuard>
  )
}
