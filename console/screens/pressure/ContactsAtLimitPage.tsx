import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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
import type en from './en.ts'
import styles from './Pressure.module.css'
import { PressurePage } from './PressurePage.tsx'
import type { ContactsAtLimitSearch } from './routes.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/limited')

type ContactsAtLimitPage = ApiAnswer<'/marketing/pressure/limited', 'get'>
type Item = ContactsAtLimitPage['items'][number]

const CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const
const PURPOSES = ['marketing', 'service'] as const
const PAGE = 100

const columnsOf = (t: Translator<typeof en>): TableColumn<Item>[] => [
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

interface ToolsProps {
  search: ContactsAtLimitSearch
  set(change: Partial<ContactsAtLimitSearch>): void
}

/** Which message it is about: its channel, topic and purpose, and one rule or all. */
function Tools({ search, set }: ToolsProps) {
  const t = useTranslator(pressureTexts)
  const topics = useTopics().data ?? []
  const rules = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/marketing/pressure/rules', { signal })),
  })
  const active = (rules.data ?? []).filter((rule) => rule.active)
  const named = (all: readonly { id: string; label: string }[]) => all.map(({ id, label }) => ({ value: id, label }))
  const common = { size: 'xs' as const, w: 170 }
  return (
    <>
      <Select
        {...common}
        aria-label={t('channel')}
        allowDeselect={false}
        data={CHANNELS.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? CHANNELS[0]}
        onChange={(channel) => set({ channel: channel as (typeof CHANNELS)[number] })}
      />
      <Select
        {...common}
        aria-label={t('purposes')}
        allowDeselect={false}
        data={PURPOSES.map((value) => ({ value, label: t(value) }))}
        value={search.purpose ?? PURPOSES[0]}
        onChange={(purpose) => set({ purpose: purpose as (typeof PURPOSES)[number] })}
      />
      <Select
        {...common}
        clearable
        searchable
        aria-label={t('topic')}
        placeholder={t('noTopic')}
        data={named(topics)}
        value={search.topic ?? null}
        onChange={(topic) => set({ topic: topic ?? undefined })}
      />
      <Select
        {...common}
        clearable
        searchable
        aria-label={t('rule')}
        placeholder={t('everyRule')}
        data={named(active)}
        value={search.rule ?? null}
        onChange={(rule) => set({ rule: rule ?? undefined })}
      />
    </>
  )
}

/** Rules that stop everybody at this hour. */
function Closed({ closed }: { closed: ContactsAtLimitPage['closed'] }) {
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

/** Who gets nothing more now: by which rule, and until when. */
export function ContactsAtLimitPage() {
  const t = useTranslator(pressureTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [first, setFirst] = useState<ContactsAtLimitPage | null>(null)
  const set = (change: Partial<ContactsAtLimitSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const rows = useKeysetRows<Item>({
    key: JSON.stringify(search),
    keyOf: ({ id }) => id,
    load: async (place, signal) => {
      const query = { ...search, limit: PAGE, ...place }
      const page = await readAnswer(apiClient.GET('/marketing/pressure/limited', { params: { query }, signal }))
      if (!('after' in place)) setFirst(page)
      return page
    },
  })
  return (
    <PressurePage part="limited">
      <div className={styles['limited']}>
        {first && (
          <StatFigures>
            <StatFigure
              label={t('atLimit')}
              definition={t('atLimitWhy')}
              {...(!first.exact && { note: t('estimate') })}
            >
              <FormattedNumber value={first.total} />
            </StatFigure>
          </StatFigures>
        )}
        {first && <Closed closed={first.closed} />}
        <DataTable
          name="limited"
          label={t('limited')}
          rows={rows}
          columns={columnsOf(t)}
          keyOf={({ id }) => id}
          linkOf={({ id }) => objectPaths.contact(id)}
          tools={<Tools search={search} set={set} />}
          isFiltered
          empty={<EmptyState title={t('nobody')}>{t('nobodyWhy')}</EmptyState>}
        />
      </div>
    </PressurePage>
  )
}
