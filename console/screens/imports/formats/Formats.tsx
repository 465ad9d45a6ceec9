import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMay } from '../../../api/me.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Num } from '../../../components/Num.tsx'
import type { Column } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { useArrayRows } from '../../../components/table/rows.ts'
import { useCreateKey } from '../../../layout/dialogs/keys.tsx'
import { useText } from '../../../text/catalogue.ts'
import { settingsTexts } from '../settings/texts.ts'
import { importTexts } from '../texts.ts'
import { useSeparators } from './separators.ts'
import { type ImportFormat, useFormats } from './use-formats.ts'

const byName = (a: ImportFormat, b: ImportFormat): number => a.name.localeCompare(b.name)
const NEW: string = '/imports/formats/new'

/** How files that come again and again are read. */
export function Formats() {
  const [t, all] = [useText(settingsTexts), useText(importTexts)]
  const navigate = useNavigate()
  const may = useMay('write')
  const { nameOf } = useSeparators()
  useCreateKey(() => void navigate({ to: NEW }), may)
  const rows = useArrayRows(useFormats(), byName)
  const fresh = may && <Button renderRoot={(props) => <Link to={NEW} {...props} />}>{t('newFormat')}</Button>
  const columns: Column<ImportFormat>[] = [
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
      cell: ({ binds }) => <Num value={binds.length} />,
    },
  ]
  return (
    <Page title={t('formats')} parent={{ label: all('title'), to: '/imports' }} action={rows.total > 0 && fresh}>
      <DataTable
        name="import-formats"
        label={t('formats')}
        rows={rows}
        columns={columns}
        keyOf={({ identifier }) => String(identifier.guid)}
        linkOf={({ identifier }) => `/imports/formats/${identifier.guid}`}
        empty={
          <Empty title={t('noFormats')} action={fresh}>
            {t('noFormatsWhy')}
          </Empty>
        }
      />
    </Page>
  )
}
