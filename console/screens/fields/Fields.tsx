import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { useFields, useValueLists } from '../../api/definitions.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { pathOf } from '../../paths.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import type en from './en.ts'
import { fieldTexts } from './texts.ts'

type T = Text<typeof en>
type FieldRow = Answer<'/fields', 'get'>[number]
type ListRow = Answer<'/valueLists', 'get'>[number]
type FormRow = Answer<'/forms', 'get'>[number]

const PARTS = ['fields', 'valueLists', 'forms'] as const
type Part = (typeof PARTS)[number]
const PATHS: Record<Part, string> = { fields: '/fields', valueLists: '/value-lists', forms: '/forms' }
const CREATE = { fields: 'newField', valueLists: 'newList', forms: 'newForm' } as const

/** Fields, value lists and forms: what is known of contacts, and how they tell it. */
function Parts({ part, children }: { part: Part; children: ReactNode }) {
  const t = useText(fieldTexts)
  const mayWrite = useMay('write')
  const create = (
    <Button renderRoot={(props) => <Link to={`${PATHS[part]}/new` as string} {...props} />}>{t(CREATE[part])}</Button>
  )
  return (
    <Page
      title={t('title')}
      {...(mayWrite && { action: create })}
      tabs={PARTS.map((one) => ({ label: t(one), to: PATHS[one], isOpen: one === part }))}
    >
      {children}
    </Page>
  )
}

function flagsOf({ isUnicity, isMandatory, isCriterion }: FieldRow, t: T): string[] {
  return [...(isUnicity ? [t('key')] : isMandatory ? [t('mandatory')] : []), ...(isCriterion ? [] : [t('noCriterion')])]
}

/** Every field of contacts. */
export function Fields() {
  const t = useText(fieldTexts)
  const lists = useValueLists()
  const rows = useArrayRows(useFields())
  const format = useFormat()
  const columns = useMemo<Column<FieldRow>[]>(
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
        linkOf={({ id }) => pathOf.field(id)}
        empty={<Empty title={t('fields')} />}
      />
    </Parts>
  )
}

const SHOWN_LABELS = 6

/** Every value list. */
export function ValueLists() {
  const t = useText(fieldTexts)
  const rows = useArrayRows(useValueLists())
  const columns = useMemo<Column<ListRow>[]>(
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
        cell: ({ values }) => <Num value={values.length} />,
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
        linkOf={({ id }) => pathOf.valueList(id)}
        empty={<Empty title={t('noLists')}>{t('noListsWhy')}</Empty>}
      />
    </Parts>
  )
}

/** Every form. */
export function Forms() {
  const t = useText(fieldTexts)
  const fields = useFields().data
  const format = useFormat()
  const forms = useQuery({ queryKey: ['forms'], queryFn: ({ signal }) => data(api.GET('/forms', { signal })) })
  const columns = useMemo<Column<FormRow>[]>(() => {
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
      { key: 'updated', header: t('updated'), cell: ({ updateDate }) => <Time at={updateDate} />, width: 130 },
    ]
  }, [t, fields, format])
  return (
    <Parts part="forms">
      <DataTable
        name="forms"
        label={t('forms')}
        rows={useArrayRows(forms)}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf.form(id)}
        empty={<Empty title={t('noForms')}>{t('noFormsWhy')}</Empty>}
      />
    </Parts>
  )
}
