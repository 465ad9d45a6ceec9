import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Refusal } from '../../api/client.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Time } from '../../components/Time.tsx'
import { useShortcut } from '../../layout/dialogs/keys.tsx'
import { frameTexts } from '../../layout/texts.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Captured.module.css'
import { type CapturedRow, capturedQuery, filtered } from './captured.ts'
import { Reading } from './Reading.tsx'
import { type CapturedSearch, CHANNELS } from './routes.ts'
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
  const t = useText(capturedTexts)
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
        data={CHANNELS.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? null}
        onChange={(channel) => set({ channel: channel ?? undefined })}
      />
    </div>
  )
}

function Row({ row, isOpen }: { row: CapturedRow; isOpen: boolean }) {
  const t = useText(capturedTexts)
  const { id, to, subject, channel, date } = row
  return (
    <li>
      <Link to="/captured" search={(before) => ({ ...before, id })} aria-current={isOpen ? 'true' : undefined}>
        <span className={styles['line']}>
          <bdi className={styles['to']}>{to}</bdi>
          <small>
            <Time at={date} />
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
  const frame = useText(frameTexts)
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
  const t = useText(capturedTexts)
  const { search } = useSearching()
  const shown = filtered(rows, search)
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
  const t = useText(capturedTexts)
  return (
    <Empty
      title={t('empty')}
      action={
        <Button component={Link} to="/set-up" {...({ search: { step: 'test' } } as object)}>
          {t('sendTest')}
        </Button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  )
}

/** Messages that were captured instead of sent: the list, and the one that is read beside it. */
function Messages() {
  const t = useText(capturedTexts)
  const { id } = route.useSearch()
  const { data: rows, error, isPending, refetch } = useQuery(capturedQuery)
  const isAway = error instanceof Refusal && error.status === 404
  return (
    <Page title={t('title')} note={t('about')}>
      {isAway && <Empty title={t('away')}>{t('awayWhy')}</Empty>}
      {error && !isAway && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && !error && <Skeleton lines={[60, 80, 70, 90]} />}
      {rows && rows.length === 0 && id === undefined && <Nothing />}
      {rows && (rows.length > 0 || id !== undefined) && (
        <div className={styles['panes']} data-reading={id !== undefined || undefined}>
          <List rows={rows} />
          {id === undefined ? <p className={styles['choose']}>{t('choose')}</p> : <Reading key={id} id={id} />}
        </div>
      )}
    </Page>
  )
}

/** Captured messages, for those who write: viewers of masked values are refused them. */
export function CapturedPage() {
  return (
    <Allowed right="write" to="/">
      <Messages />
    </Allowed>
  )
}
