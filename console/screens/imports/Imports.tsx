import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { type Text, useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { type Import, type Run, readRuns } from './calls.ts'
import type en from './en.ts'
import { RunState } from './runs/RunState.tsx'
import { uploadedName } from './runs/Runs.tsx'
import { schedulerOf, useScheduleWords } from './settings/schedule.ts'
import { settingsTexts } from './settings/texts.ts'
import { importTexts } from './texts.ts'

/** The last run of an import, read for rows that are seen; null: it never ran, undefined: it is on its way. */
function useLastRun(id: number): Run | null | undefined {
  return useQuery({
    queryKey: ['imports', id, 'last'],
    queryFn: async ({ signal }) => (await readRuns(id, { dryRun: false, limit: 1, signal }))[0] ?? null,
    staleTime: 10_000,
  }).data
}

function LastRun({ id }: { id: number }) {
  const t = useText(importTexts)
  const run = useLastRun(id)
  if (run === null) return <small>{t('neverRan')}</small>
  return run ? <RunState run={run} /> : null
}

function LastDate({ id }: { id: number }) {
  const run = useLastRun(id)
  return run ? <Time at={run.startDate} /> : null
}

function LastCount({ id, of }: { id: number; of: 'created' | 'updated' | 'rejected' }) {
  const run = useLastRun(id)
  return run ? <Num value={run[of]} /> : null
}

/** When it runs by itself, in words. */
function Schedule({ of }: { of: Import['scheduler'] }) {
  const t = useText(importTexts)
  const scheduler = schedulerOf(of, useFormat().zone)
  const words = useScheduleWords()
  if (scheduler === null) return null
  return scheduler.enabled ? words(scheduler) : <small>{t('scheduleOff')}</small>
}

const columnsOf = (t: Text<typeof en>): Column<Import>[] => [
  { key: 'name', header: t('name'), width: 180, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'state', header: t('lastRun'), width: 120, cell: ({ id }) => <LastRun id={id} /> },
  { key: 'date', header: t('date'), width: 130, cell: ({ id }) => <LastDate id={id} /> },
  ...(['created', 'updated', 'rejected'] as const).map(
    (of): Column<Import> => ({
      key: of,
      header: t(of),
      width: 90,
      align: 'end',
      cell: ({ id }) => <LastCount id={id} of={of} />,
    }),
  ),
  {
    key: 'source',
    header: t('source'),
    width: 120,
    cell: ({ source }) => (
      <bdi>{source.type === 'ftp' ? (source.folder ?? t('folder')) : uploadedName(source.filename ?? '')}</bdi>
    ),
  },
  {
    key: 'scheduler',
    header: t('scheduler'),
    width: 190,
    cell: ({ scheduler }) => <Schedule of={scheduler} />,
  },
]

const newestFirst = (a: Import, b: Import): number => b.id - a.id

/** Every import with how its last run went. */
export function Imports() {
  const [t, formatTexts] = [useText(importTexts), useText(settingsTexts)]
  const navigate = useNavigate()
  const may = useMay('write')
  useCreateKey(() => void navigate({ to: '/imports/new' }), may)
  const read = useQuery({ queryKey: ['imports'], queryFn: ({ signal }) => data(api.GET('/imports', { signal })) })
  const rows = useArrayRows(read, newestFirst)
  const fresh = may && (
    <Button component={Link} to="/imports/new">
      {t('newImport')}
    </Button>
  )
  return (
    <Page
      title={t('title')}
      action={rows.total > 0 && fresh}
      menu={
        <Menu.Item renderRoot={(props) => <Link to="/imports/formats" {...props} />}>
          {formatTexts('formats')}
        </Menu.Item>
      }
    >
      <DataTable
        name="imports"
        label={t('title')}
        rows={rows}
        columns={columnsOf(t)}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => `/imports/${id}`}
        empty={
          <Empty title={t('empty')} action={fresh}>
            {t('emptyWhy')}
          </Empty>
        }
      />
    </Page>
  )
}
