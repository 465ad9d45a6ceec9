import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../api/client.ts'
import { useTranslator } from '../text/catalogue.ts'
import { componentTexts } from './texts.ts'

const SEARCH_DELAY_MS = 250
const MAX_RESULTS = 20
/** Shorter parts of an address are not searched. */
const MIN_QUERY_LENGTH = 3

interface Props {
  label: string
  isLabelHidden?: boolean
  help?: string
  size?: 'xs' | 'sm'
  error?: string | undefined
  isReadOnly?: boolean
  /** The id of a contact. */
  value: string | null
  onChange(id: string | null): void
}

const searchContacts = async (searchText: string, signal: AbortSignal) =>
  (await apiClient.search({ query: { q: searchText, limit: MAX_RESULTS }, signal })).filter(
    ({ type }) => type === 'contact',
  )

/** A contact, found by a part of its address or number. */
export function ContactField({ label, isLabelHidden = false, help, size = 'sm', isReadOnly = false, ...props }: Props) {
  const t = useTranslator(componentTexts)
  const { value, onChange, error } = props
  const [typedText, setTypedText] = useState('')
  const [searchText] = useDebouncedValue(typedText.trim(), SEARCH_DELAY_MS)
  const searchQuery = useQuery({
    queryKey: ['contactsFound', searchText],
    queryFn: ({ signal }) => searchContacts(searchText, signal),
    enabled: searchText.length >= MIN_QUERY_LENGTH,
    placeholderData: (before) => before,
  })
  const chosenQuery = useQuery({
    queryKey: ['contactsFound', value],
    queryFn: ({ signal }) => searchContacts(value ?? '', signal),
    enabled: value !== null,
  })
  const namesById = new Map(
    [...(chosenQuery.data ?? []), ...(searchQuery.data ?? [])].map(({ id, name }) => [String(id), name]),
  )
  const optionIds = new Set([
    ...(value === null ? [] : [value]),
    ...(searchQuery.data ?? []).map(({ id }) => String(id)),
  ])
  return (
    <Select
      searchable
      clearable
      size={size}
      error={error}
      {...(isLabelHidden ? { 'aria-label': label } : { label, description: help })}
      readOnly={isReadOnly}
      placeholder={t('contactSearch')}
      nothingFoundMessage={
        searchText.length >= MIN_QUERY_LENGTH && !searchQuery.isFetching ? t('nothingFound') : undefined
      }
      filter={({ options }) => options}
      data={[...optionIds].map((id) => ({ value: id, label: namesById.get(id) ?? id }))}
      value={value}
      searchValue={typedText}
      onSearchChange={setTypedText}
      onChange={onChange}
    />
  )
}
