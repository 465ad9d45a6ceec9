import { Anchor } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api, data, versioned } from '../../api/client.ts'
import { useValueLists } from '../../api/definitions.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, SwitchField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Form, Stored } from '../../components/form/use-form.ts'
import { type Kind, useResource, useStored } from '../../components/form/use-resource.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { fieldTexts } from './texts.ts'

const route = getRouteApi('/fields/$id')

type FieldDocument = Answer<'/fields/{id}', 'get'>

const TYPES = [
  'textField',
  'textArea',
  'email',
  'phone',
  'numeric',
  'date',
  'singleSelectList',
  'multipleSelectList',
] as const satisfies FieldDocument['type'][]
const OPERATORS = ['operator0', 'operator1', 'operator2', 'operator3', 'operator4', 'operator5'] as const

const blank = {
  ...{ type: 'textField' as const, name: '', isUnicity: false, isMandatory: false, isCriterion: true },
} as FieldDocument

const hasLabels = ({ type }: FieldDocument): boolean => /SelectList$/.test(type)

/** A bound of values: on the number or date itself, of texts on the number of characters. */
function Constraint({ form, isReadOnly }: { form: Form<FieldDocument>; isReadOnly: boolean }) {
  const t = useText(fieldTexts)
  const isText = /^text/.test(form.value.type)
  return (
    <FieldGroup title={t('constraint')}>
      <ChoiceField
        form={form}
        at="/constraint/operator"
        isNumber
        isReadOnly={isReadOnly}
        label={t(isText ? 'length' : 'bound')}
        choices={OPERATORS.map((key, value) => ({ value: String(value), label: t(key) }))}
      />
      {(form.value.constraint?.operator ?? 0) > 0 && (
        <TextField form={form} at="/constraint/value" label={t('boundValue')} isReadOnly={isReadOnly} />
      )}
    </FieldGroup>
  )
}

function Members({ form, isReadOnly }: { form: Form<FieldDocument>; isReadOnly: boolean }) {
  const t = useText(fieldTexts)
  const lists = useValueLists()
  const common = { form, isReadOnly }
  const canBeKey = !hasLabels(form.value) && form.value.type !== 'textArea'
  return (
    <>
      <FieldGroup>
        <TextField {...common} at="/name" label={t('name')} />
        <ChoiceField
          {...common}
          at="/type"
          label={t('type')}
          help={t('typeHelp')}
          choices={TYPES.map((value) => ({ value, label: t(value) }))}
        />
        {hasLabels(form.value) && (
          <ChoiceField
            {...common}
            at="/valueListId"
            isNumber
            label={t('valueList')}
            choices={lists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          />
        )}
      </FieldGroup>
      <FieldGroup title={t('use')}>
        <SwitchField {...common} at="/isCriterion" label={t('criterion')} help={t('criterionHelp')} />
        <SwitchField {...common} at="/isMandatory" label={t('mandatory')} help={t('mandatoryHelp')} />
        {canBeKey && <SwitchField {...common} at="/isUnicity" label={t('key')} help={t('keyHelp')} />}
      </FieldGroup>
      {/^(numeric|date|text)/.test(form.value.type) && <Constraint {...common} />}
    </>
  )
}

const kind: Kind<FieldDocument> = {
  ...{ name: 'field', list: 'fields', home: '/fields', pathOf: pathOf.field, idOf: ({ id }) => String(id), blank },
  read: (id, init) => versioned(api.GET('/fields/{id}', { params: { path: { id } }, ...init })),
  create: (body) => versioned(api.POST('/fields', { body })),
  replace: (id, body, headers) => versioned(api.PUT('/fields/{id}', { params: { path: { id } }, headers, body })),
  remove: (id) => data(api.DELETE('/fields/{id}', { params: { path: { id } } })),
}

function Edit({ id, stored }: { id: string; stored: Stored<FieldDocument> }) {
  const t = useText(fieldTexts)
  const mayWrite = useMay('write')
  const { name, valueListId } = stored.data
  const resource = useResource(kind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteField'),
    done: t('deleted', { name }),
  })
  const aside = !resource.isNew && (
    <>
      <Panel title={t('used')}>
        <WhereUsed
          path={`/fields/${id}/links`}
          load={(signal) => data(api.GET('/fields/{id}/links', { params: { path: { id } }, signal }))}
        />
      </Panel>
      {valueListId !== undefined && (
        <Panel title={t('valueList')}>
          <Anchor component={Link} to={pathOf.valueList(valueListId)}>
            {t('openList')}
          </Anchor>
        </Panel>
      )}
    </>
  )
  return (
    <ResourcePage
      {...resource}
      title={resource.isNew ? t('newField') : name}
      parent={{ label: t('fields'), to: '/fields' }}
      stored={stored}
      isReadOnly={!mayWrite}
      pointers={['/name', '/type', '/valueListId', '/constraint/operator', '/constraint/value']}
      aside={aside}
    >
      {(form) => <Members form={form} isReadOnly={!mayWrite} />}
    </ResourcePage>
  )
}

/** A field: what it holds, what it is used for, and by what. */
export function Field() {
  const t = useText(fieldTexts)
  const { id } = route.useParams()
  const field = useStored(kind, id)
  return (
    <Loaded read={field} title={t('field')} parent={{ label: t('fields'), to: '/fields' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
