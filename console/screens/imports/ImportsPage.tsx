import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { type ApiImportRun, type ListedApiImport, readImportRunList } from './calls.ts'
import type en from './en.ts'
import { ImportRunStateBadge } from './runs/ImportRunStateBadge.tsx'
import { originalUploadName } from './runs/Runs.tsx'
import { toSchedulerForm, useScheduleDescription } from './settings/schedule.ts'
import { importSettingsTexts } from './settings/texts.ts'
import { importTexts } from './texts.ts'

/** The last run of an import, read for rows that are seen; null: it never ran, undefined: it is on its way. */
function useLastRun(id: number): ApiImportRun | null | undefined {
  return useQuery({
    queryKey: ['imports', id, 'last'],
    queryFn: async ({ signal }) => (await readImportRunList(id, { dryRun: false, limit: 1, signal }))[0] ?? null,
    staleTime: 10_000,
  }).data
}

function LastRunState({ id }: { id: number }) {
  const t = useTranslator(importTexts)
  const lastRun = useLastRun(id)
  if (lastRun === null) return <small>{t('neverRan')}</small>
  return lastRun ? <ImportRunStateBadge run={lastRun} /> : null
}

function LastRunDate({ id }: { id: number }) {
  const lastRun = useLastRun(id)
  return lastRun ? <FormattedTime at={lastRun.startDate} /> : null
}

function LastRunCount({ id, of }: { id: number; of: 'created' | 'updated' | 'rejected' }) {
  const lastRun = useLastRun(id)
  return lastRun ? <FormattedNumber value={lastRun[of]} /> : null
}

/** Description of the schedule of an import. */
function ScheduleText({ of }: { of: ListedApiImport['scheduler'] }) {
  const t = useTranslator(importTexts)
  const scheduler = toSchedulerForm(of, useLocaleFormat().zone)
  const describeSchedule = useScheduleDescription()
  if (scheduler === null) return null
  return scheduler.enabled ? describeSchedule(scheduler) : <small>{t('scheduleOff')}</small>
}

const createColumns = (t: Translator<typeof en>): TableColumn<ListedApiImport>[] => [
  { key: 'name', header: t('name'), width: 180, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'state', header: t('lastRun'), width: 120, cell: ({ id }) => <LastRunState id={id} /> },
  { key: 'date', header: t('date'), width: 110, cell: ({ id }) => <LastRunDate id={id} /> },
  ...(['created', 'updated', 'rejected'] as const).map(
    (of): TableColumn<ListedApiImport> => ({
      key: of,
      header: t(of),
      width: 84,
      align: 'end',
      cell: ({ id }) => <LastRunCount id={id} of={of} />,
    }),
  ),
  {
    key: 'source',
    header: t('source'),
    width: 120,
    cell: ({ source }) => (
      <bdi>{source.type === 'ftp' ? (source.folder ?? t('folder')) : originalUploadName(source.filename ?? '')}</bdi>
    ),
  },
  {
    key: 'scheduler',
    header: t('scheduler'),
    width: 220,
    grow: 1,
    cell: ({ scheduler }) => <ScheduleText of={scheduler} />,
  },
]

const compareNewestFirst = (a: ListedApiImport, b: ListedApiImport): number => b.id - a.id

/** Every import with how its last run went. */
export function ImportsPage() {
  const [t, formatTexts] = [useTranslator(importTexts), useTranslator(importSettingsTexts)]
  const navigate = useNavigate()
  const canWrite = useHasRight('write')
  useCreateShortcut(() => void navigate({ to: '/imports/new' }), canWrite)
  const importsQuery = useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => apiClient.listImports({ signal }),
  })
  const rows = useArrayTableRows(importsQuery, compareNewestFirst)
  const newImportButton = canWrite && (
    <Button component={Link} to="/imports/new">
      {t('newImport')}
    </Button>
  )
  return (
    <ScreenPage
      title={t('title')}
      action={(rows.total > 0 || rows.error !== null) && newImportButton}
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
        columns={createColumns(t)}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => `/imports/${id}`}
        empty={
          <EmptyState title={t('empty')} action={newImportButton}>
            {t('emptyWhy')}
          </EmptyState>
        }
      />
    </ScreenPage>
  )
}
