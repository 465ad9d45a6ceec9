import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { AUDIT_FILTERS, type AuditSearch } from './address.ts'
import { AUDIT_METHODS, AUDIT_OBJECT_TYPES, formatAuditObjectType } from './audit-words.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import type { ApiAuditEntry } from './use-audit.ts'

const route = getRouteApi('/settings/audit')

interface FilterChoice {
  value: string
  label: string
}

/** Choices with the chosen one, which may be of somebody or something that is gone. */
const includeChosen = (
  choices: FilterChoice[],
  chosenValue: string | undefined,
  label = chosenValue,
): FilterChoice[] =>
  chosenValue === undefined || choices.some(({ value }) => value === chosenValue)
    ? choices
    : [...choices, { value: chosenValue, label: label ?? chosenValue }]

/** Kinds of actors, then the people and keys of the account. */
function useActorChoices(chosenValue: string | undefined) {
  const t = useTranslator(reviewTexts)
  const peopleQuery = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => apiClient.listPeople({ signal }),
  })
  const keysQuery = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => apiClient.listKeys({ signal }),
  })
  const kindChoices = (['person', 'key', 'system', 'command'] as const).map((kind) => ({
    value: kind,
    label: t(`every_${kind}`),
  }))
  const personChoices = (peopleQuery.data ?? []).map(({ id, name, email }) => ({
    value: `person:${id}`,
    label: name || email,
  }))
  const keyChoices = (keysQuery.data ?? []).map(({ id, name }) => ({ value: `key:${id}`, label: name }))
  const isKnown = [...kindChoices, ...personChoices, ...keyChoices].some(({ value }) => value === chosenValue)
  return [
    { group: t('kinds'), items: isKnown ? kindChoices : includeChosen(kindChoices, chosenValue) },
    ...(personChoices.length === 0 ? [] : [{ group: t('persons'), items: personChoices }]),
    ...(keyChoices.length === 0 ? [] : [{ group: t('programs'), items: keyChoices }]),
  ]
}

/** Filters of the audit; `entries` are the shown entries, whose operations are offered. */
export function AuditFilters({ entries }: { entries: readonly ApiAuditEntry[] }) {
  const t = useTranslator(reviewTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const changeFilter = (name: keyof AuditSearch, value: string | null): void =>
    void navigate({ search: (before) => ({ ...before, [name]: value || undefined }), replace: true })
  const methodChoices = AUDIT_METHODS.map((method) => ({ value: method, label: t(`method_${method}`) }))
  const operationChoices = [...new Set(entries.map(({ operation }) => operation))]
    .sort()
    .map((operationName) => ({ value: operationName, label: operationName }))
  const typeChoices = AUDIT_OBJECT_TYPES.map((type) => ({ value: type, label: formatAuditObjectType(t, type) }))
  const [type = '', id] = search.object?.split(':') ?? []
  const objectName = entries.find(({ object }) => object?.type === type && object.id === id)?.object?.name
  const objectChoices = includeChosen(
    typeChoices,
    search.object,
    `${formatAuditObjectType(t, type)} ${objectName ?? id ?? ''}`.trim(),
  )
  const filterFields = [
    { name: 'who', data: useActorChoices(search.who) },
    { name: 'operation', data: includeChosen([...methodChoices, ...operationChoices], search.operation) },
    { name: 'object', data: objectChoices },
  ] as const
  return (
    <div className={styles['filters']} role="search">
      {filterFields.map(({ name, data: offered }) => (
        <Select
          key={name}
          size="xs"
          className={styles['choice']}
          searchable
          clearable
          aria-label={t(name)}
          placeholder={t(name)}
          data={offered}
          value={search[name] ?? null}
          onChange={(value) => changeFilter(name, value)}
        />
      ))}
      {(['start', 'end'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          size="xs"
          label={t(name)}
          classNames={{ root: styles['day'] ?? '' }}
          value={search[name] ?? ''}
          onChange={(event) => changeFilter(name, event.currentTarget.value)}
        />
      ))}
      {AUDIT_FILTERS.some((name) => search[name] !== undefined) && (
        <Button variant="subtle" size="compact-sm" onClick={() => void navigate({ search: {}, replace: true })}>
          {t('reset')}
        </Button>
      )}
    </div>
  )
}
