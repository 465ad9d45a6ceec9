import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { MessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { MESSAGE_LISTERS, type MessageListRow } from './calls.ts'

const SEARCH_DELAY_MS = 250

interface Props {
  channel: MessageChannelName
  value: string | null
  onChange(id: string | null): void
}

/** The message that a new one is a copy of, found by its name. */
export function CopiedMessageField({ channel, value, onChange }: Props) {
  const t = useTranslator(messageTexts)
  const [typedText, setTypedText] = useState('')
  const [chosenMessage, setChosen] = useState<MessageListRow>()
  // What is chosen stands in the field: it is no search.
  const [searchText] = useDebouncedValue(typedText === chosenMessage?.name ? '' : typedText.trim(), SEARCH_DELAY_MS)
  const searchQuery = useQuery({
    queryKey: ['messages', channel, 'copied', searchText],
    queryFn: ({ signal }) =>
      MESSAGE_LISTERS[channel]({ ...(searchText !== '' && { q: searchText }), after: undefined }, signal),
    placeholderData: (before) => before,
  })
  const foundMessages = searchQuery.data?.items ?? []
  const rows =
    chosenMessage && !foundMessages.some(({ id }) => id === chosenMessage.id)
      ? [chosenMessage, ...foundMessages]
      : foundMessages
  return (
    <>
      <Select
        required
        searchable
        label={t('copyOf')}
        placeholder={t('search')}
        nothingFoundMessage={searchQuery.isFetching ? undefined : t('noMatch')}
        filter={({ options }) => options}
        data={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={value}
        searchValue={typedText}
        onSearchChange={setTypedText}
        onChange={(next) => {
          setChosen(rows.find(({ id }) => String(id) === next))
          onChange(next)
        }}
      />
      {searchQuery.error && <ProblemAlert error={searchQuery.error} onRetry={() => void searchQuery.refetch()} />}
    </>
  )
}
