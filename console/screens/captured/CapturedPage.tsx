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
import styles from './Captured.module.css'
import { CapturedMessageReader } from './CapturedMessageReader.tsx'
import { type CapturedRow, capturedMessagesQuery, filterCapturedMessages } from './captured.ts'
import { CAPTURED_CHANNELS, type CapturedSearch } from './routes.ts'
import { capturedTexts } from './texts.ts'

const route = getRouteApi('/captured')

function useSearching() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (change: { [K in keyof CapturedSearch]?: CapturedSearch[K] | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }) as CapturedSearch, replace: true })
  return { search, set }
}

function Filters() {
  const t = useTranslator(capturedTexts)
  const { search, set } = useSearching()
  return (
    <div className={styles['filters']}>
      <SearchField label={t('search')} value={search.q ?? ''} onChange={(q) => set({ q: q === '' ? undefined : q })} />
      <Select
        size="xs"
        w={120}
        clearable
        aria-label={t('channel')}
        placeholder={t('all')}
        data={CAPTURED_CHANNELS.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? null}
        onChange={(channel) => set({ channel: channel ?? undefined })}
      />
    </div>
  )
}

function Row({ row, isOpen }: { row: CapturedRow; isOpen: boolean }) {
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
function useWalking(rows: readonly CapturedRow[]): void {
  const frame = useTranslator(layoutTexts)
  const { search, set } = useSearching()
  const place = rows.findIndex(({ id }) => id === search.id)
  const step = (by: number) => (): void => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, place + by))]
    if (next) set({ id: next.id })
  }
  useShortcut('j', frame('keyRows'), step(1))
  useShortcut('k', frame('keyRows'), step(-1))
}

function List({ rows }: { rows: readonly CapturedRow[] }) {
  const t = useTranslator(capturedTexts)
  const { search } = useSearching()
  const shown = filterCapturedMessages(rows, search)
  useWalking(shown)
  return (
    <div className={styles['list']}>
      <Filters />
      {shown.length === 0 && <p className={styles['quiet']}>{t('noneFound')}</p>}
      <nav aria-label={t('list')} className={styles['scroll']}>
        <ul>
          {shown.map((row) => (
            <Row key={row.id} row={row} isOpen={row.id === search.id} />
          ))}
        </ul>
      </nav>
    </div>
  )
}

function Nothing() {
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

/** Messages that were captured instead of sent: the list, and the one that is read beside it. */
function Messages() {
  const t = useTranslator(capturedTexts)
  const { id } = route.useSearch()
  const { data: rows, error, isPending, refetch } = useQuery(capturedMessagesQuery)
  const isAway = error instanceof ApiRefusal && error.status === 404
  return (
    <ScreenPage title={t('title')} note={t('about')}>
      {isAway && <EmptyState title={t('away')}>{t('awayWhy')}</EmptyState>}
      {error && !isAway && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <LoadingSkeleton lines={[60, 80, 70, 90]} />}
      {rows && rows.length === 0 && id === undefined && <Nothing />}
      {rows && (rows.length > 0 || id !== undefined) && (
        <div className={styles['panes']} data-reading={id !== undefined || undefined}>
          <List rows={rows} />
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
      <Messages />
    </RightGuard>
  )
}
