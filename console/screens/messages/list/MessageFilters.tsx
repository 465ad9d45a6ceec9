import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { SearchField } from '../../../components/SearchField.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { MessagesSearch } from '../address.ts'
import { ACTION_PHASES, type MessageChannelName, type MessagePhase, NOTIFICATION_PHASES } from '../names.ts'
import { messageTexts } from '../texts.ts'

interface Props {
  channel: MessageChannelName
  search: MessagesSearch
  set(change: Partial<MessagesSearch>): void
}

interface FilterSelectProps {
  label: string
  choices: readonly { value: string; label: string }[]
  value: string | undefined
  onChange(value: string | undefined): void
}

/** One of the ways to narrow a list; empty: not narrowed. */
function FilterSelect({ label, choices, value, onChange }: FilterSelectProps) {
  return (
    <Select
      size="xs"
      w={150}
      clearable
      searchable={choices.length > 8}
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

/** Search, state, category and campaign of a list, all in the address. */
export function MessageFilters({ channel, search, set: changeSearch }: Props) {
  const t = useTranslator(messageTexts)
  const { q = '', phase, category, campaign } = search
  const categories = useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => apiClient.listCategories({ signal }),
  })
  const campaigns = useQuery({
    queryKey: ['campaigns'],
    queryFn: ({ signal }) => apiClient.listCampaigns({ signal }),
  })
  const phases: readonly MessagePhase[] = channel === 'notification' ? NOTIFICATION_PHASES : ACTION_PHASES
  return (
    <>
      <SearchField label={t('search')} value={q} onChange={(next) => changeSearch({ q: next || undefined })} />
      <FilterSelect
        label={t('state')}
        choices={phases.map((value) => ({ value, label: t(`phase_${value}`) }))}
        value={phase}
        onChange={(next) => changeSearch({ phase: next as MessagePhase | undefined })}
      />
      {channel !== 'notification' && (
        <FilterSelect
          label={t('category')}
          choices={(categories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={category === undefined ? undefined : String(category)}
          onChange={(next) => changeSearch({ category: next === undefined ? undefined : Number(next) })}
        />
      )}
      {(campaigns.data?.length ?? 0) > 0 && (
        <FilterSelect
          label={t('campaign')}
          choices={(campaigns.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={campaign}
          onChange={(next) => changeSearch({ campaign: next })}
        />
      )}
    </>
  )
}
