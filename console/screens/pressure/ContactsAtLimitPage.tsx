import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { StatFigure, StatFigures } from '../../components/layout/StatFigure.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useKeysetRows } from '../../components/table/use-keyset-rows.ts'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type { ContactsAtLimitSearch } from './address.ts'
import type en from './en.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/limited')

type ContactsAtLimitPage = ApiAnswer<'listPressureLimitedTargets'>
type LimitedContact = ContactsAtLimitPage['items'][number]

const LIMIT_CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
const LIMIT_PURPOSES = ['marketing', 'service'] as const
const PAGE_SIZE = 100

const createColumns = (t: Translator<typeof en>): TableColumn<LimitedContact>[] => [
  { key: 'contact', header: t('contact'), width: 220, grow: 2, cell: ({ unicity }) => <bdi>{unicity}</bdi> },
  {
    key: 'until',
    header: t('again'),
    width: 170,
    cell: ({ until }) => (until === null ? t('never') : <FormattedTime at={until} as="moment" />),
  },
  {
    key: 'count',
    header: t('got'),
    width: 110,
    align: 'end',
    cell: ({ count, limit }) => t('of', { stopped: count, messages: limit }),
  },
  { key: 'rule', header: t('rule'), width: 180, cell: ({ rule }) => <bdi>{rule.label}</bdi> },
]

interface LimitFiltersProps {
  search: ContactsAtLimitSearch
  set(change: Partial<ContactsAtLimitSearch>): void
}

/** Filters of the message: its channel, topic and purpose, and one rule or all. */
function LimitFilters({ search, set: changeSearch }: LimitFiltersProps) {
  const t = useTranslator(pressureTexts)
  const topics = useTopics().data ?? []
  const rulesQuery = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => apiClient.listPressureRules({ signal }),
  })
  const activeRules = (rulesQuery.data ?? []).filter((rule) => rule.active)
  const toChoices = (namedObjects: readonly { id: string; label: string }[]) =>
    namedObjects.map(({ id, label }) => ({ value: id, label }))
  const selectProps = { size: 'xs' as const, w: 170 }
  return (
    <>
      <Select
        {...selectProps}
        aria-label={t('channel')}
        allowDeselect={false}
        data={LIMIT_CHANNELS.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? LIMIT_CHANNELS[0]}
        onChange={(channel) => changeSearch({ channel: channel as (typeof LIMIT_CHANNELS)[number] })}
      />
      <Select
        {...selectProps}
        aria-label={t('purposes')}
        allowDeselect={false}
        data={LIMIT_PURPOSES.map((value) => ({ value, label: t(value) }))}
        value={search.purpose ?? LIMIT_PURPOSES[0]}
        onChange={(purpose) => changeSearch({ purpose: purpose as (typeof LIMIT_PURPOSES)[number] })}
      />
      <Select
        {...selectProps}
        clearable
        searchable
        aria-label={t('topic')}
        placeholder={t('noTopic')}
        data={toChoices(topics)}
        value={search.topic ?? null}
        onChange={(topic) => changeSearch({ topic: topic ?? undefined })}
      />
      <Select
        {...selectProps}
        clearable
        searchable
        aria-label={t('rule')}
        placeholder={t('everyRule')}
        data={toChoices(activeRules)}
        value={search.rule ?? null}
        onChange={(rule) => changeSearch({ rule: rule ?? undefined })}
      />
    </>
  )
}

/** Rules that stop everybody at this hour. */
function ClosedRules({ closed }: { closed: ContactsAtLimitPage['closed'] }) {
  const t = useTranslator(pressureTexts)
  if (closed.length === 0) return null
  return (
    <ul className={styles['closed']}>
      {closed.map(({ rule, until }) => (
        <li key={rule.id}>
          {t('stopsAll', { rule: rule.label })} {until !== null && <FormattedTime at={until} as="moment" />}
        </li>
      ))}
    </ul>
  )
}

/** Contacts that currently receive nothing more, with the rule and its end. */
export function ContactsAtLimitPage() {
  const t = useTranslator(pressureTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [firstPage, setFirstPage] = useState<ContactsAtLimitPage | null>(null)
  const changeSearch = (change: Partial<ContactsAtLimitSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const rows = useKeysetRows<LimitedContact>({
    key: JSON.stringify(search),
    keyOf: ({ id }) => id,
    load: async (place, signal) => {
      const query = { ...search, limit: PAGE_SIZE, ...place }
      const page = await apiClient.listPressureLimitedTargets({ query, signal })
      if (!('after' in place)) setFirstPage(page)
      return page
    },
  })
  return (
    <PressurePage part="limited">
      <div className={styles['limited']}>
        {firstPage && (
          <StatFigures>
            <StatFigure
              label={t('atLimit')}
              definition={t('atLimitWhy')}
              {...(!firstPage.exact && { note: t('estimate') })}
            >
              <FormattedNumber value={firstPage.total} />
            </StatFigure>
          </StatFigures>
        )}
        {firstPage && <ClosedRules closed={firstPage.closed} />}
        <DataTable
          name="limited"
          label={t('limited')}
          rows={rows}
          columns={createColumns(t)}
          keyOf={({ id }) => id}
          linkOf={({ id }) => objectPaths.contact(id)}
          tools={<LimitFilters search={search} set={changeSearch} />}
          isFiltered
          empty={<EmptyState title={t('nobody')}>{t('nobodyWhy')}</EmptyState>}
        />
      </div>
    </PressurePage>
  )
}
