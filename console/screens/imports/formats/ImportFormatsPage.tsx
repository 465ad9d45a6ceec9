import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import type { TableColumn } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../../components/table/rows.ts'
import { useCreateShortcut } from '../../../layout/dialogs/keys.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { importSettingsTexts } from '../settings/texts.ts'
import { importTexts } from '../texts.ts'
import { useColumnSeparators } from './separators.ts'
import { type ApiImportFormat, useImportFormats } from './use-formats.ts'

const byName = (a: ApiImportFormat, b: ApiImportFormat): number => a.name.localeCompare(b.name)
const NEW: string = '/imports/formats/new'

/** How files that come again and again are read. */
export function ImportFormatsPage() {
  const [t, all] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const navigate = useNavigate()
  const may = useHasRight('write')
  const { nameOf } = useColumnSeparators()
  useCreateShortcut(() => void navigate({ to: NEW }), may)
  const rows = useArrayTableRows(useImportFormats(), byName)
  const fresh = may && <Button renderRoot={(props) => <Link to={NEW} {...props} />}>{t('newFormat')}</Button>
  const columns: TableColumn<ApiImportFormat>[] = [
    { key: 'name', header: all('name'), width: 220, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'separator', header: all('separator'), width: 150, cell: ({ separator }) => nameOf(separator) },
    {
      key: 'encoding',
      header: all('encoding'),
      width: 150,
      cell: ({ encoding = 'auto' }) => (encoding === 'auto' ? t('found') : encoding),
    },
    {
      key: 'columns',
      header: all('columns'),
      width: 110,
      align: 'end',
      cell: ({ binds }) => <FormattedNumber value={binds.length} />,
    },
  ]
  return (
    <ScreenPage title={t('formats')} parent={{ label: all('title'), to: '/imports' }} action={rows.total > 0 && fresh}>
      <DataTable
        name="import-formats"
        label={t('formats')}
        rows={rows}
        columns={columns}
        keyOf={({ identifier }) => String(identifier.guid)}
        linkOf={({ identifier }) => `/imports/formats/${identifier.guid}`}
        empty={
          <EmptyState title={t('noFormats')} action={fresh}>
            {t('noFormatsWhy')}
          </EmptyState>
        }
      />
    </ScreenPage>
  )
}
