import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useContactFields, useValueLists } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import type en from './en.ts'
import { contactFieldTexts } from './texts.ts'

type FieldsTranslator = Translator<typeof en>
type FieldRow = ApiAnswer<'listFields'>[number]
type ListRow = ApiAnswer<'listValueLists'>[number]
type FormRow = ApiAnswer<'listForms'>[number]

const PAGE_PARTS = ['fields', 'valueLists', 'forms'] as const
type PagePart = (typeof PAGE_PARTS)[number]
const PART_PATHS: Record<PagePart, string> = { fields: '/fields', valueLists: '/value-lists', forms: '/forms' }
const CREATE_LABELS = { fields: 'newField', valueLists: 'newList', forms: 'newForm' } as const

/** Fields, value lists and forms: what is known of contacts, and how they tell it. */
function PartsPage({ part, children }: { part: PagePart; children: ReactNode }) {
  const t = useTranslator(contactFieldTexts)
  const canWrite = useHasRight('write')
  const createButton = (
    <Button renderRoot={(props) => <Link to={`${PART_PATHS[part]}/new` as string} {...props} />}>
      {t(CREATE_LABELS[part])}
    </Button>
  )
  return (
    <ScreenPage
      title={t('title')}
      {...(canWrite && { action: createButton })}
      tabs={PAGE_PARTS.map((partName) => ({ label: t(partName), to: PART_PATHS[partName], isOpen: partName === part }))}
    >
      {children}
    </ScreenPage>
  )
}

function formatFlags({ isUnicity, isMandatory, isCriterion }: FieldRow, t: FieldsTranslator): string[] {
  return [...(isUnicity ? [t('key')] : isMandatory ? [t('mandatory')] : []), ...(isCriterion ? [] : [t('noCriterion')])]
}

/** Every field of contacts. */
export function FieldsPage() {
  const t = useTranslator(contactFieldTexts)
  const listsQuery = useValueLists()
  const rows = useArrayTableRows(useContactFields())
  const format = useLocaleFormat()
  const columns = useMemo<TableColumn<FieldRow>[]>(
    () => [
      { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 2 },
      { key: 'type', header: t('type'), cell: ({ type }) => t(type), width: 150 },
      { key: 'flags', header: t('use'), cell: (field) => format.list(formatFlags(field, t)), width: 220, grow: 2 },
      {
        key: 'list',
        header: t('valueList'),
        cell: ({ valueListId }) => listsQuery.data?.find(({ id }) => id === valueListId)?.name,
        width: 150,
      },
      { key: 'id', header: t('id'), cell: ({ id }) => <span className="digits">{id}</span>, width: 80, align: 'end' },
    ],
    [t, format, listsQuery.data],
  )
  return (
    <PartsPage part="fields">
      <DataTable
        name="fields"
        label={t('fields')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.field(id)}
        empty={<EmptyState title={t('fields')} />}
      />
    </PartsPage>
  )
}

const MAX_SHOWN_LABELS = 6

/** Every value list. */
export function ValueListsPage() {
  const t = useTranslator(contactFieldTexts)
  const rows = useArrayTableRows(useValueLists())
  const columns = useMemo<TableColumn<ListRow>[]>(
    () => [
      { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200 },
      {
        key: 'values',
        header: t('values'),
        cell: ({ values }) =>
          values
            .slice(0, MAX_SHOWN_LABELS)
            .map(({ value }) => value)
            .join(' · '),
        width: 260,
        grow: 3,
      },
      {
        key: 'count',
        header: t('howMany'),
        cell: ({ values }) => <FormattedNumber value={values.length} />,
        width: 110,
        align: 'end',
      },
    ],
    [t],
  )
  return (
    <PartsPage part="valueLists">
      <DataTable
        name="valueLists"
        label={t('valueLists')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.valueList(id)}
        empty={<EmptyState title={t('noLists')}>{t('noListsWhy')}</EmptyState>}
      />
    </PartsPage>
  )
}

/** Every form. */
export function FormsPage() {
  const t = useTranslator(contactFieldTexts)
  const fields = useContactFields().data
  const format = useLocaleFormat()
  const formsQuery = useQuery({
    queryKey: ['forms'],
    queryFn: ({ signal }) => apiClient.listForms({ signal }),
  })
  const columns = useMemo<TableColumn<FormRow>[]>(() => {
    const findFieldName = (id: number): string => fields?.find((field) => field.id === id)?.name ?? String(id)
    return [
      { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200 },
      {
        key: 'fields',
        header: t('fields'),
        cell: (form) => format.list(form.fields.map(({ field }) => findFieldName(field))),
        width: 260,
        grow: 3,
      },
      { key: 'updated', header: t('updated'), cell: ({ updateDate }) => <FormattedTime at={updateDate} />, width: 130 },
    ]
  }, [t, fields, format])
  return (
    <PartsPage part="forms">
      <DataTable
        name="forms"
        label={t('forms')}
        rows={useArrayTableRows(formsQuery)}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.form(id)}
        empty={<EmptyState title={t('noForms')}>{t('noFormsWhy')}</EmptyState>}
      />
    </PartsPage>
  )
}
