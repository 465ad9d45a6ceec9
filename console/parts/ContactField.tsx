import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api, data } from '../api/client.ts'
import { useText } from '../text/catalogue.ts'
import { partTexts } from './texts.ts'

export interface ChosenContact {
  id: string
  name: string
}

interface Props {
  label: string
  value: ChosenContact | null
  onChange(contact: ChosenContact | null): void
}

const LIMIT = 20

/** One contact, sought by address, number or id. */
export function ContactField({ label, value, onChange }: Props) {
  const t = useText(partTexts)
  const [words, setWords] = useState(value?.name ?? '')
  const q = useDeferredValue(words.trim())
  const found = useQuery({
    queryKey: ['search', 'contacts', q],
    queryFn: ({ signal }) => data(api.GET('/search', { params: { query: { q, limit: LIMIT } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const contacts = (q === '' ? [] : (found.data ?? [])).filter(({ type }) => type === 'contact')
  const choices = contacts.map(({ id, name }) => ({ value: String(id), label: name }))
  if (value && !choices.some((one) => one.value === value.id)) choices.push({ value: value.id, label: value.name })
  return (
    <Select
      label={label}
      placeholder={t('contactSought')}
      searchable
      clearable
      maw={560}
      data={choices}
      // What the service found is shown: it seeks by more than names.
      filter={({ options }) => options}
      {...(q !== '' && !found.isFetching && { nothingFoundMessage: t('noContact') })}
      searchValue={words}
      onSearchChange={setWords}
      value={value?.id ?? null}
      onChange={(id, option) => onChange(id === null ? null : { id, name: option?.label ?? id })}
    />
  )
}
