import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../components/layout/Problem.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { ChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { LISTS, type Row } from './calls.ts'

const PAUSE_MS = 250

interface Props {
  channel: ChannelName
  value: string | null
  onChange(id: string | null): void
}

/** The message that a new one is a copy of, found by its name. */
export function CopyOf({ channel, value, onChange }: Props) {
  const t = useText(messageTexts)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Row>()
  // What is chosen stands in the field: it is no search.
  const [q] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), PAUSE_MS)
  const found = useQuery({
    queryKey: ['messages', channel, 'copied', q],
    queryFn: ({ signal }) => LISTS[channel]({ ...(q !== '' && { q }), after: undefined }, signal),
    placeholderData: (before) => before,
  })
  const listed = found.data?.items ?? []
  const rows = chosen && !listed.some(({ id }) => id === chosen.id) ? [chosen, ...listed] : listed
  return (
    <>
      <Select
        required
        searchable
        label={t('copyOf')}
        placeholder={t('search')}
        nothingFoundMessage={found.isFetching ? undefined : t('noMatch')}
        filter={({ options }) => options}
        data={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={value}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(next) => {
          setChosen(rows.find(({ id }) => String(id) === next))
          onChange(next)
        }}
      />
      {found.error && <Problem error={found.error} onRetry={() => void found.refetch()} />}
    </>
  )
}
