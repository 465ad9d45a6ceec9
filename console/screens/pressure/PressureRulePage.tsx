import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { BackTest } from './BackTest.tsx'
import { ActiveSwitch, LimitLine } from './LimitLine.tsx'
import type { ApiPressureLimit, RuleDocument } from './rule-words.ts'
import { pressureTexts } from './texts.ts'
import { useTopics } from './use-topics.ts'

const route = getRouteApi('/pressure/$id')

const JOIN_LABELS = { and: 'andLimits', or: 'orLimits' } as const

const INITIAL_LIMIT: ApiPressureLimit = {
  type: 'limit',
  count: 3,
  period: { type: 'rolling', unit: 'DAY', value: 7 },
  channels: [],
  topics: [],
  purposes: ['marketing'],
  reserve: 0,
  reservePriority: 50,
  window: null,
}

const blankRule: RuleDocument = {
  id: '',
  label: '',
  active: true,
  predicate: { type: 'and', expressions: [INITIAL_LIMIT] },
  stamp: { creation: '', modification: '' },
  createdBy: '',
  modifiedBy: '',
  who: { creation: null, modification: null },
}

const buildBody = ({ label, active, predicate }: RuleDocument) => ({ label, active, predicate })

const ruleResource: ResourceDefinition<RuleDocument> = {
  name: 'rule',
  list: 'rules',
  home: '/pressure',
  pathOf: objectPaths.rule,
  idOf: ({ id }) => id,
  blank: blankRule,
  read: (id, init) => readVersionedAnswer(apiClient.getPressureRule, { path: { id }, ...init }),
  create: (rule) => readVersionedAnswer(apiClient.createPressureRule, { body: buildBody(rule) }),
  replace: (id, rule, headers) =>
    readVersionedAnswer(apiClient.updatePressureRule, { path: { id }, headers, body: buildBody(rule) }),
  remove: (id) => apiClient.deletePressureRule({ path: { id } }),
}

function LimitFields({ form, isReadOnly }: { form: FormState<RuleDocument>; isReadOnly: boolean }) {
  const t = useTranslator(pressureTexts)
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
          data={Object.entries(JOIN_LABELS).map(([value, key]) => ({ value, label: t(key) }))}
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
            onClick={() => form.set('/predicate/expressions', [...expressions, INITIAL_LIMIT])}
          >
            {t('addLimit')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

function RuleForm({ id, stored: storedRule }: { id: string; stored: StoredDocument<RuleDocument> }) {
  const t = useTranslator(pressureTexts)
  const isReadOnly = !useHasRight('admin')
  const [testedRule, setTestedRule] = useState(storedRule.data)
  const { label } = storedRule.data
  const resource = useResource(ruleResource, id, {
    title: t('deleteTitle', { name: label }),
    action: t('delete'),
    why: t('deleteRule'),
    done: t('deleted', { name: label }),
  })
  return (
    <ResourcePage<RuleDocument>
      {...resource}
      title={resource.isNew ? t('newRule') : label}
      parent={{ label: t('title'), to: '/pressure' }}
      stored={storedRule}
      isReadOnly={isReadOnly}
      onValue={(value: RuleDocument) => setTestedRule(value)}
      pointers={['/label', '/active']}
      aside={<BackTest rule={testedRule} />}
    >
      {(form) => (
        <>
          <FieldGroup>
            <TextField form={form} at="/label" label={t('name')} isReadOnly={isReadOnly} />
            <ActiveSwitch form={form} isReadOnly={isReadOnly} />
          </FieldGroup>
          <LimitFields form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </ResourcePage>
  )
}

/** A rule of pressure: its limits in words, and what it would have stopped. */
export function PressureRulePage() {
  const t = useTranslator(pressureTexts)
  const { id } = route.useParams()
  const ruleQuery = useStoredDocument(ruleResource, id)
  return (
    <DocumentLoader read={ruleQuery} title={t('rule')} parent={{ label: t('title'), to: '/pressure' }}>
      {(storedRule) => <RuleForm key={id} id={id} stored={storedRule} />}
    </DocumentLoader>
  )
}
