import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { MessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { MESSAGE_LISTERS, type MessageListRow } from './calls.ts'

const PAUSE_MS = 250

interface Props {
  channel: MessageChannelName
  value: string | null
  onChange(id: string | null): void
}

/** The message that a new one is a copy of, found by its name. */
export function CopiedMessageField({ channel, value, onChange }: Props) {
  const t = useTranslator(messageTexts)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<MessageListRow>()
  // What is chosen stands in the field: it is no search.
  const [q] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), PAUSE_MS)
  const found = useQuery({
    queryKey: ['messages', channel, 'copied', q],
    queryFn: ({ signal }) => MESSAGE_LISTERS[channel]({ ...(q !== '' && { q }), after: undefined }, signal),
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
      {found.error && <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />}
    </>
  )
}
