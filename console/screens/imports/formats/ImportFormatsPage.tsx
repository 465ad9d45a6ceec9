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

const compareByName = (a: ApiImportFormat, b: ApiImportFormat): number => a.name.localeCompare(b.name)
const NEW_FORMAT_PATH: string = '/imports/formats/new'

/** Formats of files that are imported repeatedly. */
export function ImportFormatsPage() {
  const [t, importT] = [useTranslator(importSettingsTexts), useTranslator(importTexts)]
  const navigate = useNavigate()
  const canWrite = useHasRight('write')
  const { nameOf } = useColumnSeparators()
  useCreateShortcut(() => void navigate({ to: NEW_FORMAT_PATH }), canWrite)
  const rows = useArrayTableRows(useImportFormats(), compareByName)
  const newFormatButton = canWrite && (
    <Button renderRoot={(props) => <Link to={NEW_FORMAT_PATH} {...props} />}>{t('newFormat')}</Button>
  )
  const columns: TableColumn<ApiImportFormat>[] = [
    { key: 'name', header: importT('name'), width: 220, grow: 2, cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'separator', header: importT('separator'), width: 150, cell: ({ separator }) => nameOf(separator) },
    {
      key: 'encoding',
      header: importT('encoding'),
      width: 150,
      cell: ({ encoding = 'auto' }) => (encoding === 'auto' ? t('found') : encoding),
    },
    {
      key: 'columns',
      header: importT('columns'),
      width: 110,
      align: 'end',
      cell: ({ binds }) => <FormattedNumber value={binds.length} />,
    },
  ]
  return (
    <ScreenPage
      title={t('formats')}
      parent={{ label: importT('title'), to: '/imports' }}
      action={rows.total > 0 && newFormatButton}
    >
      <DataTable
        name="import-formats"
        label={t('formats')}
        rows={rows}
        columns={columns}
        keyOf={({ identifier }) => String(identifier.guid)}
        linkOf={({ identifier }) => `/imports/formats/${identifier.guid}`}
        empty={
          <EmptyState title={t('noFormats')} action={newFormatButton}>
            {t('noFormatsWhy')}
          </EmptyState>
        }
      />
    </ScreenPage>
  )
}
