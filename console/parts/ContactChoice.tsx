import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../api/client.ts'
import { useText } from '../text/catalogue.ts'
import { partTexts } from './texts.ts'

const PAUSE_MS = 250
const SHOWN = 20
/** Shorter parts of an address are not searched. */
const SHORTEST = 3

interface Props {
  label: string
  help: string
  value: string | null
  onChange(id: string | null): void
  error?: string | undefined
}

const search = (q: string, signal: AbortSignal) =>
  data(api.GET('/search', { params: { query: { q, limit: SHOWN } }, signal }))

/** A contact, found by a part of its address or number. */
export function ContactChoice({ label, help, value, onChange, error }: Props) {
  const t = useText(partTexts)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = useQuery({
    queryKey: ['contactsFound', q],
    queryFn: ({ signal }) => search(q, signal),
    enabled: q.length >= SHORTEST,
    placeholderData: (before) => before,
  })
  const contacts = (found.data ?? []).filter(({ type }) => type === 'contact')
  // One that was chosen before is found by its id.
  const isUnknown = value !== null && !contacts.some(({ id }) => String(id) === value)
  const chosen = useQuery({
    queryKey: ['contactsFound', value],
    queryFn: ({ signal }) => search(value ?? '', signal),
    enabled: isUnknown,
  })
  const name = chosen.data?.find(({ id }) => String(id) === value)?.name ?? value
  return (
    <Select
      size="xs"
      searchable
      clearable
      label={label}
      description={help}
      error={error}
      placeholder={t('contactSearch')}
      nothingFoundMessage={q.length >= SHORTEST && !found.isFetching ? t('noMatch') : undefined}
      filter={({ options }) => options}
      data={[
        ...(isUnknown && q === '' ? [{ value, label: name ?? value }] : []),
        ...contacts.map((one) => ({ value: String(one.id), label: one.name })),
      ]}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}
