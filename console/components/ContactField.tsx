import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../api/client.ts'
import { useTranslator } from '../text/catalogue.ts'
import { componentTexts } from './texts.ts'

const PAUSE_MS = 250
const SHOWN = 20
/** Shorter parts of an address are not searched. */
const SHORTEST = 3

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

const contactsOf = async (q: string, signal: AbortSignal) =>
  (await readAnswer(apiClient.GET('/search', { params: { query: { q, limit: SHOWN } }, signal }))).filter(
    ({ type }) => type === 'contact',
  )

/** A contact, found by a part of its address or number. */
export function ContactField({ label, isLabelHidden = false, help, size = 'sm', isReadOnly = false, ...props }: Props) {
  const t = useTranslator(componentTexts)
  const { value, onChange, error } = props
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const found = useQuery({
    queryKey: ['contactsFound', q],
    queryFn: ({ signal }) => contactsOf(q, signal),
    enabled: q.length >= SHORTEST,
    placeholderData: (before) => before,
  })
  const chosen = useQuery({
    queryKey: ['contactsFound', value],
    queryFn: ({ signal }) => contactsOf(value ?? '', signal),
    enabled: value !== null,
  })
  const known = new Map([...(chosen.data ?? []), ...(found.data ?? [])].map(({ id, name }) => [String(id), name]))
  const ids = new Set([...(value === null ? [] : [value]), ...(found.data ?? []).map(({ id }) => String(id))])
  return (
    <Select
      searchable
      clearable
      {...{ size, error }}
      {...(isLabelHidden ? { 'aria-label': label } : { label, description: help })}
      readOnly={isReadOnly}
      placeholder={t('contactSearch')}
      nothingFoundMessage={q.length >= SHORTEST && !found.isFetching ? t('nothingFound') : undefined}
      filter={({ options }) => options}
      data={[...ids].map((id) => ({ value: id, label: known.get(id) ?? id }))}
      value={value}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}
