import { Button, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { AUDIT_METHODS, AUDIT_OBJECT_TYPES, formatAuditObjectType } from './audit-words.ts'
import styles from './Review.module.css'
import { AUDIT_FILTERS, type AuditSearch } from './routes.ts'
import { reviewTexts } from './texts.ts'
import type { ApiAuditEntry } from './use-audit.ts'

const route = getRouteApi('/settings/audit')

interface Choice {
  value: string
  label: string
}

/** Choices with the chosen one, which may be of somebody or something that is gone. */
const withChosen = (choices: Choice[], chosen: string | undefined, label = chosen): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? choices
    : [...choices, { value: chosen, label: label ?? chosen }]

/** Kinds of actors, then the people and keys of the account. */
function useActors(chosen: string | undefined) {
  const t = useTranslator(reviewTexts)
  const people = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/people', { signal })),
  })
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => readAnswer(apiClient.GET('/keys', { signal })) })
  const kinds = (['person', 'key', 'system', 'command'] as const).map((kind) => ({
    value: kind,
    label: t(`every_${kind}`),
  }))
  const persons = (people.data ?? []).map(({ id, name, email }) => ({ value: `person:${id}`, label: name || email }))
  const programs = (keys.data ?? []).map(({ id, name }) => ({ value: `key:${id}`, label: name }))
  const isKnown = [...kinds, ...persons, ...programs].some(({ value }) => value === chosen)
  return [
    { group: t('kinds'), items: isKnown ? kinds : withChosen(kinds, chosen) },
    ...(persons.length === 0 ? [] : [{ group: t('persons'), items: persons }]),
    ...(programs.length === 0 ? [] : [{ group: t('programs'), items: programs }]),
  ]
}

/** What a person may narrow the audit by; `entries`: those that are shown, whose operations are offered. */
export function AuditFilters({ entries }: { entries: readonly ApiAuditEntry[] }) {
  const t = useTranslator(reviewTexts)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const set = (name: keyof AuditSearch, value: string | null): void =>
    void navigate({ search: (before) => ({ ...before, [name]: value || undefined }), replace: true })
  const methods = AUDIT_METHODS.map((method) => ({ value: method, label: t(`method_${method}`) }))
  const seen = [...new Set(entries.map(({ operation }) => operation))].sort().map((one) => ({ value: one, label: one }))
  const types = AUDIT_OBJECT_TYPES.map((type) => ({ value: type, label: formatAuditObjectType(t, type) }))
  const [type = '', id] = search.object?.split(':') ?? []
  const named = entries.find(({ object }) => object?.type === type && object.id === id)?.object?.name
  const objects = withChosen(types, search.object, `${formatAuditObjectType(t, type)} ${named ?? id ?? ''}`.trim())
  const choices = [
    { name: 'who', data: useActors(search.who) },
    { name: 'operation', data: withChosen([...methods, ...seen], search.operation) },
    { name: 'object', data: objects },
  ] as const
  return (
    <div className={styles['filters']} role="search">
      {choices.map(({ name, data: offered }) => (
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
          onChange={(value) => set(name, value)}
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
          onChange={(event) => set(name, event.currentTarget.value)}
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
