import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useContactFields, useSegments } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { ChoiceField, FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { contactFieldTexts } from './texts.ts'
import styles from './ValueListPage.module.css'

const route = getRouteApi('/forms/$id')

type FormDocument = ApiAnswer<'getForm'>
interface Props {
  form: FormState<FormDocument>
  isReadOnly: boolean
}

/** Languages that a form is written in: ours, and those that it has already. */
const listLanguages = (texts: Record<string, string>): string[] => [...new Set(['en', 'fr', ...Object.keys(texts)])]

/** Inputs for one text in each language, side by side. */
function TranslatedTextFields({
  form,
  isReadOnly,
  at,
  label,
  isLong = false,
}: Props & { at: string; label: string; isLong?: boolean }) {
  const t = useTranslator(contactFieldTexts)
  const TextInput = isLong ? LongTextField : TextField
  return (
    <div className={styles['languages']}>
      {listLanguages(form.value.title).map((language) => (
        <TextInput
          key={language}
          form={form}
          at={`${at}/${language}`}
          label={t('inLanguage', { label, language: language.toUpperCase() })}
          isReadOnly={isReadOnly}
        />
      ))}
    </div>
  )
}

function FormFields({ form, isReadOnly }: Props) {
  const t = useTranslator(contactFieldTexts)
  const contactFields = useContactFields().data ?? []
  const fieldChoices = contactFields.map(({ id, name }) => ({ value: String(id), label: name }))
  const unusedField = contactFields.find(({ id }) => !form.value.fields.some(({ field }) => field === id))
  const changeFields = (next: FormDocument['fields']): void => form.set('/fields', next)
  return (
    <FieldGroup title={t('asked')}>
      {form.value.fields.map((_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields of a form have no other name than their place.
        <section key={place} className={styles['line']}>
          <ChoiceField
            form={form}
            isNumber
            at={`/fields/${place}/field`}
            label={t('field')}
            choices={fieldChoices}
            isReadOnly={isReadOnly}
          />
          <TranslatedTextFields
            form={form}
            isReadOnly={isReadOnly}
            at={`/fields/${place}/label`}
            label={t('fieldLabel')}
          />
          <div className={styles['foot']}>
            <SwitchField form={form} at={`/fields/${place}/required`} label={t('required')} isReadOnly={isReadOnly} />
            <SwitchField form={form} at={`/fields/${place}/prefill`} label={t('prefill')} isReadOnly={isReadOnly} />
            {!isReadOnly && form.value.fields.length > 1 && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                onClick={() => changeFields(form.value.fields.toSpliced(place, 1))}
              >
                {t('removeField')}
              </Button>
            )}
          </div>
        </section>
      ))}
      {!isReadOnly && unusedField && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() =>
              changeFields([...form.value.fields, { field: unusedField.id, label: {}, required: false, prefill: true }])
            }
          >
            {t('addField')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

function SubmissionFields({ form, isReadOnly }: Props) {
  const t = useTranslator(contactFieldTexts)
  const staticSegments = useSegments().data?.filter(({ type }) => type === 'static') ?? []
  return (
    <FieldGroup title={t('afterwards')}>
      <ChoiceField
        form={form}
        isNumber
        isClearable
        at="/segment"
        label={t('joins')}
        choices={staticSegments.map(({ id, name }) => ({ value: String(id), label: name }))}
        isReadOnly={isReadOnly}
      />
      <MultiChoiceField
        form={form}
        at="/redList"
        label={t('leaves')}
        choices={(['mail', 'sms'] as const).map((value) => ({ value, label: t(value) }))}
        isReadOnly={isReadOnly}
      />
    </FieldGroup>
  )
}

/** Omits empty texts: a language without text counts as absent. */
function omitEmptyTexts(form: FormDocument): FormDocument {
  const filterTexts = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
  const { title, introduction, submitLabel, successMessage, fields } = form
  return {
    ...form,
    title: filterTexts(title),
    introduction: filterTexts(introduction),
    submitLabel: filterTexts(submitLabel),
    successMessage: filterTexts(successMessage),
    fields: fields.map((field) => ({ ...field, label: filterTexts(field.label) })),
  }
}

/** Request body: the service supplies texts that have no language. */
function buildBody(form: FormDocument) {
  const { name, segment, redList, fields, ...texts } = omitEmptyTexts(form)
  const emptyToNull = (text: Record<string, string>) => (Object.keys(text).length === 0 ? null : text)
  return {
    name,
    segment,
    redList,
    title: emptyToNull(texts.title),
    introduction: emptyToNull(texts.introduction),
    submitLabel: emptyToNull(texts.submitLabel),
    successMessage: emptyToNull(texts.successMessage),
    fields: fields.map((field) => ({ ...field, label: emptyToNull(field.label) })),
  }
}

const blankForm = {
  id: '',
  name: '',
  title: {},
  introduction: {},
  submitLabel: {},
  successMessage: {},
  fields: [],
  segment: null,
  redList: [],
  creationDate: '',
  updateDate: '',
} satisfies FormDocument

const formResource: ResourceDefinition<FormDocument> = {
  name: 'form',
  list: 'forms',
  home: '/forms',
  pathOf: objectPaths.form,
  idOf: ({ id }) => id,
  blank: blankForm,
  read: (id, init) => readVersionedAnswer(apiClient.getForm, { path: { id }, ...init }),
  create: (form) => readVersionedAnswer(apiClient.createForm, { body: buildBody(form) }),
  replace: (id, form, headers) =>
    readVersionedAnswer(apiClient.updateForm, { path: { id }, headers, body: buildBody(form) }),
  remove: (id) => apiClient.deleteForm({ path: { id } }),
}

function FormEditor({ id, stored: storedForm }: { id: string; stored: StoredDocument<FormDocument> }) {
  const t = useTranslator(contactFieldTexts)
  const isReadOnly = !useHasRight('write')
  const { name } = storedForm.data
  const resource = useResource(formResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteForm'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage
      {...resource}
      title={resource.isNew ? t('newForm') : name}
      parent={{ label: t('forms'), to: '/forms' }}
      stored={storedForm}
      isReadOnly={isReadOnly}
      pointers={['/name', '/segment', '/redList']}
      {...(!resource.isNew && {
        aside: (
          <PagePanel title={t('used')}>
            <WhereUsed path={`/forms/${id}`} load={(signal) => apiClient.listFormLinks({ path: { id }, signal })} />
          </PagePanel>
        ),
      })}
    >
      {(form) => (
        <div style={{ display: 'grid', gap: 28, maxWidth: 720 }}>
          <FieldGroup>
            <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
            <TranslatedTextFields form={form} isReadOnly={isReadOnly} at="/title" label={t('heading')} />
            <TranslatedTextFields
              form={form}
              isReadOnly={isReadOnly}
              at="/introduction"
              label={t('introduction')}
              isLong
            />
          </FieldGroup>
          <FormFields form={form} isReadOnly={isReadOnly} />
          <FieldGroup>
            <TranslatedTextFields form={form} isReadOnly={isReadOnly} at="/submitLabel" label={t('button')} />
            <TranslatedTextFields
              form={form}
              isReadOnly={isReadOnly}
              at="/successMessage"
              label={t('success')}
              isLong
            />
          </FieldGroup>
          <SubmissionFields form={form} isReadOnly={isReadOnly} />
        </div>
      )}
    </ResourcePage>
  )
}

/** A form that contacts fill: what it asks, in which words, and what happens then. */
export function FormPage() {
  const t = useTranslator(contactFieldTexts)
  const { id } = route.useParams()
  const form = useStoredDocument(formResource, id)
  return (
    <DocumentLoader read={form} title={t('form')} parent={{ label: t('forms'), to: '/forms' }}>
      {(storedForm) => <FormEditor key={id} id={id} stored={storedForm} />}
    </DocumentLoader>
  )
}
