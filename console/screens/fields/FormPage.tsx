import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
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

type FormDocument = ApiAnswer<'/forms/{id}', 'get'>
interface Props {
  form: FormState<FormDocument>
  isReadOnly: boolean
}

/** Languages that a form is written in: ours, and those that it has already. */
const languagesOf = (texts: Record<string, string>): string[] => [...new Set(['en', 'fr', ...Object.keys(texts)])]

/** A text in each language, beside each other. */
function Texts({
  form,
  isReadOnly,
  at,
  label,
  isLong = false,
}: Props & { at: string; label: string; isLong?: boolean }) {
  const t = useTranslator(contactFieldTexts)
  const One = isLong ? LongTextField : TextField
  return (
    <div className={styles['languages']}>
      {languagesOf(form.value.title).map((language) => (
        <One
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
  const fields = useContactFields().data ?? []
  const choices = fields.map(({ id, name }) => ({ value: String(id), label: name }))
  const free = fields.find(({ id }) => !form.value.fields.some(({ field }) => field === id))
  const set = (next: FormDocument['fields']): void => form.set('/fields', next)
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
            choices={choices}
            isReadOnly={isReadOnly}
          />
          <Texts form={form} isReadOnly={isReadOnly} at={`/fields/${place}/label`} label={t('fieldLabel')} />
          <div className={styles['foot']}>
            <SwitchField form={form} at={`/fields/${place}/required`} label={t('required')} isReadOnly={isReadOnly} />
            <SwitchField form={form} at={`/fields/${place}/prefill`} label={t('prefill')} isReadOnly={isReadOnly} />
            {!isReadOnly && form.value.fields.length > 1 && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                onClick={() => set(form.value.fields.toSpliced(place, 1))}
              >
                {t('removeField')}
              </Button>
            )}
          </div>
        </section>
      ))}
      {!isReadOnly && free && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...form.value.fields, { field: free.id, label: {}, required: false, prefill: true }])}
          >
            {t('addField')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

function Then({ form, isReadOnly }: Props) {
  const t = useTranslator(contactFieldTexts)
  const segments = useSegments().data?.filter(({ type }) => type === 'static') ?? []
  return (
    <FieldGroup title={t('afterwards')}>
      <ChoiceField
        form={form}
        isNumber
        isClearable
        at="/segment"
        label={t('joins')}
        choices={segments.map(({ id, name }) => ({ value: String(id), label: name }))}
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

/** Texts without those that are empty: a language that is not written is none. */
function withoutEmpty(form: FormDocument): FormDocument {
  const filled = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
  const { title, introduction, submitLabel, successMessage, fields } = form
  return {
    ...form,
    title: filled(title),
    introduction: filled(introduction),
    submitLabel: filled(submitLabel),
    successMessage: filled(successMessage),
    fields: fields.map((field) => ({ ...field, label: filled(field.label) })),
  }
}

/** What is sent: texts in no language are left to the service. */
function bodyOf(form: FormDocument) {
  const { name, segment, redList, fields, ...texts } = withoutEmpty(form)
  const orNull = (text: Record<string, string>) => (Object.keys(text).length === 0 ? null : text)
  return {
    ...{ name, segment, redList },
    title: orNull(texts.title),
    introduction: orNull(texts.introduction),
    submitLabel: orNull(texts.submitLabel),
    successMessage: orNull(texts.successMessage),
    fields: fields.map((field) => ({ ...field, label: orNull(field.label) })),
  }
}

const blank = {
  ...{ id: '', name: '', title: {}, introduction: {}, submitLabel: {}, successMessage: {} },
  ...{ fields: [], segment: null, redList: [], creationDate: '', updateDate: '' },
} satisfies FormDocument

const kind: ResourceDefinition<FormDocument> = {
  ...{ name: 'form', list: 'forms', home: '/forms', pathOf: objectPaths.form, idOf: ({ id }) => id, blank },
  read: (id, init) => readVersionedAnswer(apiClient.GET('/forms/{id}', { params: { path: { id } }, ...init })),
  create: (form) => readVersionedAnswer(apiClient.POST('/forms', { body: bodyOf(form) })),
  replace: (id, form, headers) =>
    readVersionedAnswer(apiClient.PUT('/forms/{id}', { params: { path: { id } }, headers, body: bodyOf(form) })),
  remove: (id) => readAnswer(apiClient.DELETE('/forms/{id}', { params: { path: { id } } })),
}

function Edit({ id, stored }: { id: string; stored: StoredDocument<FormDocument> }) {
  const t = useTranslator(contactFieldTexts)
  const isReadOnly = !useHasRight('write')
  const { name } = stored.data
  const resource = useResource(kind, id, {
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
      stored={stored}
      isReadOnly={isReadOnly}
      pointers={['/name', '/segment', '/redList']}
      {...(!resource.isNew && {
        aside: (
          <PagePanel title={t('used')}>
            <WhereUsed
              path={`/forms/${id}`}
              load={(signal) => readAnswer(apiClient.GET('/forms/{id}/links', { params: { path: { id } }, signal }))}
            />
          </PagePanel>
        ),
      })}
    >
      {(form) => (
        <div style={{ display: 'grid', gap: 28, maxWidth: 720 }}>
          <FieldGroup>
            <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
            <Texts form={form} isReadOnly={isReadOnly} at="/title" label={t('heading')} />
            <Texts form={form} isReadOnly={isReadOnly} at="/introduction" label={t('introduction')} isLong />
          </FieldGroup>
          <FormFields form={form} isReadOnly={isReadOnly} />
          <FieldGroup>
            <Texts form={form} isReadOnly={isReadOnly} at="/submitLabel" label={t('button')} />
            <Texts form={form} isReadOnly={isReadOnly} at="/successMessage" label={t('success')} isLong />
          </FieldGroup>
          <Then form={form} isReadOnly={isReadOnly} />
        </div>
      )}
    </ResourcePage>
  )
}

/** A form that contacts fill: what it asks, in which words, and what happens then. */
export function FormPage() {
  const t = useTranslator(contactFieldTexts)
  const { id } = route.useParams()
  const form = useStoredDocument(kind, id)
  return (
    <DocumentLoader read={form} title={t('form')} parent={{ label: t('forms'), to: '/forms' }}>
      {(stored) => <Edit key={id} id={id} stored={stored} />}
    </DocumentLoader>
  )
}
