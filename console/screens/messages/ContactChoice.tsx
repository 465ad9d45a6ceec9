import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useText } from '../../text/catalogue.ts'
import { messageTexts } from './texts.ts'

const PAUSE_MS = 250
const SHOWN = 20
/** Shorter parts of an address are not searched. */
const SHORTEST = 3

interface Props {
  value: string | null
  onChange(id: string | null): void
}

/** A contact whose values a preview shows, found by a part of its address or number. */
export function ContactChoice({ value, onChange }: Props) {
  const t = useText(messageTexts)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = useQuery({
    queryKey: ['contactsFound', q],
    queryFn: ({ signal }) => data(api.GET('/search', { params: { query: { q, limit: SHOWN } }, signal })),
    enabled: q.length >= SHORTEST,
    placeholderData: (before) => before,
  })
  const contacts = (found.data ?? []).filter(({ type }) => type === 'contact')
  return (
    <Select
      size="xs"
      searchable
      clearable
      label={t('contact')}
      description={t('contactWhy')}
      placeholder={t('contactSearch')}
      nothingFoundMessage={q.length >= SHORTEST && !found.isFetching ? t('noMatch') : undefined}
      filter={({ options }) => options}
      data={contacts.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}
