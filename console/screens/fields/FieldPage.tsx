import { Anchor } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useValueLists } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ChoiceField, FieldGroup, SwitchField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { contactFieldTexts } from './texts.ts'

const route = getRouteApi('/fields/$id')

type FieldDocument = ApiAnswer<'getField'>

const FIELD_TYPES = [
  'textField',
  'textArea',
  'email',
  'phone',
  'numeric',
  'date',
  'singleSelectList',
  'multipleSelectList',
] as const satisfies FieldDocument['type'][]
const CONSTRAINT_OPERATORS = ['operator0', 'operator1', 'operator2', 'operator3', 'operator4', 'operator5'] as const

const blankField = {
  type: 'textField' as const,
  name: '',
  isUnicity: false,
  isMandatory: false,
  isCriterion: true,
} as FieldDocument

const hasValueLabels = ({ type }: FieldDocument): boolean => /SelectList$/.test(type)

/** A bound of values: on the number or date itself, of texts on the number of characters. */
function ConstraintFields({ form, isReadOnly }: { form: FormState<FieldDocument>; isReadOnly: boolean }) {
  const t = useTranslator(contactFieldTexts)
  const isTextField = /^text/.test(form.value.type)
  return (
    <FieldGroup title={t('constraint')}>
      <ChoiceField
        form={form}
        at="/constraint/operator"
        isNumber
        isReadOnly={isReadOnly}
        label={t(isTextField ? 'length' : 'bound')}
        choices={CONSTRAINT_OPERATORS.map((key, value) => ({ value: String(value), label: t(key) }))}
      />
      {(form.value.constraint?.operator ?? 0) > 0 && (
        <TextField form={form} at="/constraint/value" label={t('boundValue')} isReadOnly={isReadOnly} />
      )}
    </FieldGroup>
  )
}

function FieldMembers({ form, isReadOnly }: { form: FormState<FieldDocument>; isReadOnly: boolean }) {
  const t = useTranslator(contactFieldTexts)
  const valueLists = useValueLists()
  const fieldProps = { form, isReadOnly }
  const canBeKey = !hasValueLabels(form.value) && form.value.type !== 'textArea'
  return (
    <>
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <ChoiceField
          {...fieldProps}
          at="/type"
          label={t('type')}
          help={t('typeHelp')}
          choices={FIELD_TYPES.map((value) => ({ value, label: t(value) }))}
        />
        {hasValueLabels(form.value) && (
          <ChoiceField
            {...fieldProps}
            at="/valueListId"
            isNumber
            label={t('valueList')}
            choices={valueLists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          />
        )}
      </FieldGroup>
      <FieldGroup title={t('use')}>
        <SwitchField {...fieldProps} at="/isCriterion" label={t('criterion')} help={t('criterionHelp')} />
        <SwitchField {...fieldProps} at="/isMandatory" label={t('mandatory')} help={t('mandatoryHelp')} />
        {canBeKey && <SwitchField {...fieldProps} at="/isUnicity" label={t('key')} help={t('keyHelp')} />}
      </FieldGroup>
      {/^(numeric|date|text)/.test(form.value.type) && <ConstraintFields {...fieldProps} />}
    </>
  )
}

const fieldResource: ResourceDefinition<FieldDocument> = {
  name: 'field',
  list: 'fields',
  home: '/fields',
  pathOf: objectPaths.field,
  idOf: ({ id }) => String(id),
  blank: blankField,
  read: (id, init) => readVersionedAnswer(apiClient.getField, { path: { id }, ...init }),
  create: (body) => readVersionedAnswer(apiClient.createField, { body }),
  replace: (id, body, headers) => readVersionedAnswer(apiClient.updateField, { path: { id }, headers, body }),
  remove: (id) => apiClient.deleteField({ path: { id } }),
}

function FieldForm({ id, stored: storedField }: { id: string; stored: StoredDocument<FieldDocument> }) {
  const t = useTranslator(contactFieldTexts)
  const canWrite = useHasRight('write')
  const { name, valueListId } = storedField.data
  const resource = useResource(fieldResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteField'),
    done: t('deleted', { name }),
  })
  const asidePanels = !resource.isNew && (
    <>
      <PagePanel title={t('used')}>
        <WhereUsed path={`/fields/${id}/links`} load={(signal) => apiClient.listFieldLinks({ path: { id }, signal })} />
      </PagePanel>
      {valueListId !== undefined && (
        <PagePanel title={t('valueList')}>
          <Anchor component={Link} to={objectPaths.valueList(valueListId)}>
            {t('openList')}
          </Anchor>
        </PagePanel>
      )}
    </>
  )
  return (
    <ResourcePage
      {...resource}
      title={resource.isNew ? t('newField') : name}
      parent={{ label: t('fields'), to: '/fields' }}
      stored={storedField}
      isReadOnly={!canWrite}
      pointers={['/name', '/type', '/valueListId', '/constraint/operator', '/constraint/value']}
      aside={asidePanels}
    >
      {(form) => <FieldMembers form={form} isReadOnly={!canWrite} />}
    </ResourcePage>
  )
}

/** A field: what it holds, what it is used for, and by what. */
export function FieldPage() {
  const t = useTranslator(contactFieldTexts)
  const { id } = route.useParams()
  const fieldQuery = useStoredDocument(fieldResource, id)
  return (
    <DocumentLoader read={fieldQuery} title={t('field')} parent={{ label: t('fields'), to: '/fields' }}>
      {(storedField) => <FieldForm key={id} id={id} stored={storedField} />}
    </DocumentLoader>
  )
}
