import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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

type T = Translator<typeof en>
type FieldRow = ApiAnswer<'/fields', 'get'>[number]
type ListRow = ApiAnswer<'/valueLists', 'get'>[number]
type FormRow = ApiAnswer<'/forms', 'get'>[number]

const PARTS = ['fields', 'valueLists', 'forms'] as const
type Part = (typeof PARTS)[number]
const PATHS: Record<Part, string> = { fields: '/fields', valueLists: '/value-lists', forms: '/forms' }
const CREATE = { fields: 'newField', valueLists: 'newList', forms: 'newForm' } as const

/** Fields, value lists and forms: what is known of contacts, and how they tell it. */
function Parts({ part, children }: { part: Part; children: ReactNode }) {
  const t = useTranslator(contactFieldTexts)
  const mayWrite = useHasRight('write')
  const create = (
    <Button renderRoot={(props) => <Link to={`${PATHS[part]}/new` as string} {...props} />}>{t(CREATE[part])}</Button>
  )
  return (
    <ScreenPage
      title={t('title')}
      {...(mayWrite && { action: create })}
      tabs={PARTS.map((one) => ({ label: t(one), to: PATHS[one], isOpen: one === part }))}
    >
      {children}
    </ScreenPage>
  )
}

function flagsOf({ isUnicity, isMandatory, isCriterion }: FieldRow, t: T): string[] {
  return [...(isUnicity ? [t('key')] : isMandatory ? [t('mandatory')] : []), ...(isCriterion ? [] : [t('noCriterion')])]
}

/** Every field of contacts. */
export function FieldsPage() {
  const t = useTranslator(contactFieldTexts)
  const lists = useValueLists()
  const rows = useArrayTableRows(useContactFields())
  const format = useLocaleFormat()
  const columns = useMemo<TableColumn<FieldRow>[]>(
    () => [
      { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 2 },
      { key: 'type', header: t('type'), cell: ({ type }) => t(type), width: 150 },
      { key: 'flags', header: t('use'), cell: (field) => format.list(flagsOf(field, t)), width: 220, grow: 2 },
      {
        key: 'list',
        header: t('valueList'),
        cell: ({ valueListId }) => lists.data?.find(({ id }) => id === valueListId)?.name,
        width: 150,
      },
      { key: 'id', header: t('id'), cell: ({ id }) => <span className="digits">{id}</span>, width: 80, align: 'end' },
    ],
    [t, format, lists.data],
  )
  return (
    <Parts part="fields">
      <DataTable
        name="fields"
        label={t('fields')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.field(id)}
        empty={<EmptyState title={t('fields')} />}
      />
    </Parts>
  )
}

const SHOWN_LABELS = 6

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
            .slice(0, SHOWN_LABELS)
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
    <Parts part="valueLists">
      <DataTable
        name="valueLists"
        label={t('valueLists')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.valueList(id)}
        empty={<EmptyState title={t('noLists')}>{t('noListsWhy')}</EmptyState>}
      />
    </Parts>
  )
}

/** Every form. */
export function FormsPage() {
  const t = useTranslator(contactFieldTexts)
  const fields = useContactFields().data
  const format = useLocaleFormat()
  const forms = useQuery({
    queryKey: ['forms'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/forms', { signal })),
  })
  const columns = useMemo<TableColumn<FormRow>[]>(() => {
    const nameOf = (id: number): string => fields?.find((field) => field.id === id)?.name ?? String(id)
    return [
      { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200 },
      {
        key: 'fields',
        header: t('fields'),
        cell: (form) => format.list(form.fields.map(({ field }) => nameOf(field))),
        width: 260,
        grow: 3,
      },
      { key: 'updated', header: t('updated'), cell: ({ updateDate }) => <FormattedTime at={updateDate} />, width: 130 },
    ]
  }, [t, fields, format])
  return (
    <Parts part="forms">
      <DataTable
        name="forms"
        label={t('forms')}
        rows={useArrayTableRows(forms)}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.form(id)}
        empty={<EmptyState title={t('noForms')}>{t('noFormsWhy')}</EmptyState>}
      />
    </Parts>
  )
}
