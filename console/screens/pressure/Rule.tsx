import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { FieldGroup, TextField } from '../../parts/form/fields.tsx'
import { Loaded } from '../../parts/form/Loaded.tsx'
import { ResourcePage } from '../../parts/form/ResourcePage.tsx'
import type { Form, Stored } from '../../parts/form/use-form.ts'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { BackTest } from './BackTest.tsx'
import { ActiveSwitch, LimitLine } from './LimitLine.tsx'
import type { Limit, RuleDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/$id')

const JOINS = { and: 'andLimits', or: 'orLimits' } as const

const firstLimit: Limit = {
  ...{ type: 'limit', count: 3, period: { type: 'rolling', unit: 'DAY', value: 7 }, channels: [], topics: [] },
  ...{ purposes: ['marketing'], reserve: 0, reservePriority: 50, window: null },
}

const blank: RuleDocument = {
  ...{ id: '', label: '', active: true, predicate: { type: 'and', expressions: [firstLimit] } },
  ...{ stamp: { creation: '', modification: '' }, createdBy: '', modifiedBy: '' },
  ...{ who: { creation: null, modification: null } },
}

function Limits({ form, isReadOnly }: { form: Form<RuleDocument>; isReadOnly: boolean }) {
  const t = useText(pressureTexts)
  const topics = useTopics().data ?? []
  const { type, expressions } = form.value.predicate
  return (
    <FieldGroup title={t('limits')}>
      {expressions.length > 1 && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={t('together')}
          readOnly={isReadOnly}
          data={Object.entries(JOINS).map(([value, key]) => ({ value, label: t(key) }))}
          value={type}
          onChange={(next) => form.set('/predicate/type', next)}
        />
      )}
      {expressions.map((_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: limits have no other name than their place.
        <LimitLine key={place} form={form} place={place} topics={topics} isReadOnly={isReadOnly} />
      ))}
      {!isReadOnly && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.set('/predicate/expressions', [...expressions, firstLimit])}
          >
            {t('addLimit')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

function Edit({ id, stored }: { id: string; stored: Stored<RuleDocument> }) {
  const t = useText(pressureTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const isReadOnly = !useMay('admin')
  const [tried, setTried] = useState(stored.data)
  const isNew = id === 'new'
  const path = { params: { path: { id } } }
  const { label } = stored.data
  const save = (rule: RuleDocument, etag: string | null): Promise<Stored<RuleDocument>> => {
    const body = { label: rule.label, active: rule.active, predicate: rule.predicate }
    const headers = etag === null ? {} : { 'if-match': etag }
    return isNew
      ? versioned(api.POST('/marketing/pressure/rules', { body }))
      : versioned(api.PUT('/marketing/pressure/rules/{id}', { ...path, headers, body }))
  }
  return (
    <ResourcePage<RuleDocument>
      name={`rule.${id}`}
      title={isNew ? t('newRule') : label}
      parent={{ label: t('title'), to: '/pressure' }}
      stored={stored}
      isNew={isNew}
      isReadOnly={isReadOnly}
      save={save}
      load={() => versioned(api.GET('/marketing/pressure/rules/{id}', path))}
      onSaved={(next) => {
        void queries.invalidateQueries({ queryKey: ['rules'] })
        queries.setQueryData(['rule', next.data.id], next)
        if (isNew) void navigate({ to: pathOf.rule(next.data.id), replace: true })
      }}
      onValue={(value: RuleDocument) => setTried(value)}
      pointers={['/label', '/active']}
      aside={<BackTest rule={tried} />}
      {...(!isNew && {
        removal: {
          title: t('deleteTitle', { name: label }),
          action: t('delete'),
          why: t('deleteRule'),
          done: t('deleted', { name: label }),
          remove: async () => {
            await data(api.DELETE('/marketing/pressure/rules/{id}', path))
            await queries.invalidateQueries({ queryKey: ['rules'] })
            await navigate({ to: '/pressure' })
          },
        },
      })}
    >
      {(form) => (
        <>
          <FieldGroup>
            <TextField form={form} at="/label" label={t('name')} isReadOnly={isReadOnly} />
            <ActiveSwitch form={form} isReadOnly={isReadOnly} />
          </FieldGroup>
          <Limits form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </ResourcePage>
  )
}

const made: Stored<RuleDocument> = { data: blank, etag: null }

/** A rule of pressure: its limits in words, and what it would have stopped. */
export function Rule() {
  const t = useText(pressureTexts)
  const { id } = route.useParams()
  const rule = useQuery({
    queryKey: ['rule', id],
    queryFn: ({ signal }) =>
      id === 'new' ? made : versioned(api.GET('/marketing/pressure/rules/{id}', { params: { path: { id } }, signal })),
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded read={rule} title={t('rule')} parent={{ label: t('title'), to: '/pressure' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
