import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, SwitchField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { contactFieldTexts } from './texts.ts'
import styles from './ValueListPage.module.css'

const route = getRouteApi('/value-lists/$id')

type ValueListDocument = ApiAnswer<'getValueList'>
type ValueListEntry = ValueListDocument['values'][number]

/** Labels shown at once; of longer lists those that are sought. */
const MAX_SHOWN_LABELS = 200

interface LabelLineProps {
  form: FormState<ValueListDocument>
  place: number
  isReadOnly: boolean
}

function LabelLine({ form, place, isReadOnly }: LabelLineProps) {
  const t = useTranslator(contactFieldTexts)
  const { values, ordered } = form.value
  const currentLabel = values[place]!
  const changeLabels = (next: ValueListEntry[]): void => form.set('/values', next)
  const moveLabel = (to: number): void => changeLabels(values.toSpliced(place, 1).toSpliced(to, 0, currentLabel))
  const labelFault = form.faultAt(`/values/${place}/value`) ?? form.faultAt(`/values/${place}`)
  return (
    <li>
      <TextInput
        size="xs"
        aria-label={t('label', { place: place + 1 })}
        readOnly={isReadOnly}
        error={labelFault}
        value={currentLabel.value}
        onChange={(event) => changeLabels(values.with(place, { ...currentLabel, value: event.currentTarget.value }))}
      />
      {!isReadOnly && (
        <>
          {!ordered && (
            <>
              <ActionIcon
                aria-label={t('up', { value: currentLabel.value })}
                disabled={place === 0}
                onClick={() => moveLabel(place - 1)}
              >
                <IconArrowUp size={15} />
              </ActionIcon>
              <ActionIcon
                aria-label={t('down', { value: currentLabel.value })}
                disabled={place === values.length - 1}
                onClick={() => moveLabel(place + 1)}
              >
                <IconArrowDown size={15} />
              </ActionIcon>
            </>
          )}
          <ActionIcon
            aria-label={t('remove', { value: currentLabel.value })}
            onClick={() => changeLabels(values.toSpliced(place, 1))}
          >
            <IconX size={15} />
          </ActionIcon>
        </>
      )}
    </li>
  )
}

function Labels({ form, isReadOnly }: { form: FormState<ValueListDocument>; isReadOnly: boolean }) {
  const t = useTranslator(contactFieldTexts)
  const [searchText, setSought] = useState('')
  const { values } = form.value
  const matchingIndexes = values
    .map((_, place) => place)
    .filter((place) => values[place]!.value.toLocaleLowerCase().includes(searchText.toLocaleLowerCase()))
  return (
    <FieldGroup title={t('values')}>
      {values.length > 20 && (
        <TextInput
          size="xs"
          maw={260}
          type="search"
          aria-label={t('seekValue')}
          placeholder={t('seekValue')}
          value={searchText}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <ol className={styles['labels']}>
        {matchingIndexes.slice(0, MAX_SHOWN_LABELS).map((place) => (
          <LabelLine key={place} form={form} place={place} isReadOnly={isReadOnly} />
        ))}
      </ol>
      {matchingIndexes.length > MAX_SHOWN_LABELS && (
        <small>{t('moreValues', { count: matchingIndexes.length - MAX_SHOWN_LABELS })}</small>
      )}
      {!isReadOnly && (
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => form.set('/values', [...values, { index: 0, value: '' }])}
          >
            {t('addValue')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

const valueListResource: ResourceDefinition<ValueListDocument> = {
  name: 'valueList',
  list: 'valueLists',
  home: '/value-lists',
  pathOf: objectPaths.valueList,
  idOf: ({ id }) => String(id),
  blank: { id: 0, name: '', ordered: false, values: [] },
  read: (id, init) => readVersionedAnswer(apiClient.getValueList, { path: { id }, ...init }),
  create: (body) => readVersionedAnswer(apiClient.createValueList, { body }),
  replace: (id, body, headers) => readVersionedAnswer(apiClient.updateValueList, { path: { id }, headers, body }),
  remove: (id) => apiClient.deleteValueList({ path: { id } }),
}

function ValueListForm({ id, stored: storedList }: { id: string; stored: StoredDocument<ValueListDocument> }) {
  const t = useTranslator(contactFieldTexts)
  const isReadOnly = !useHasRight('write')
  const { name } = storedList.data
  const resource = useResource(valueListResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteList'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage
      {...resource}
      title={resource.isNew ? t('newList') : name}
      parent={{ label: t('valueLists'), to: '/value-lists' }}
      stored={storedList}
      isReadOnly={isReadOnly}
      pointers={['/name', '/ordered', ...storedList.data.values.flatMap((_, at) => [`/values/${at}/value`])]}
      aside={
        !resource.isNew && (
          <PagePanel title={t('used')}>
            <WhereUsed
              path={`/valueLists/${id}/links`}
              load={(signal) => apiClient.listValueListLinks({ path: { id }, signal })}
            />
            <small>{t('labelsHelp')}</small>
          </PagePanel>
        )
      }
    >
      {(form) => (
        <>
          <FieldGroup>
            <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
            <SwitchField
              form={form}
              at="/ordered"
              label={t('ordered')}
              help={t('orderedHelp')}
              isReadOnly={isReadOnly}
            />
          </FieldGroup>
          <Labels form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </ResourcePage>
  )
}

/** A value list: its labels, each of which contacts hold by its number, so that a new word shows everywhere. */
export function ValueListPage() {
  const t = useTranslator(contactFieldTexts)
  const { id } = route.useParams()
  const listQuery = useStoredDocument(valueListResource, id)
  return (
    <DocumentLoader read={listQuery} title={t('valueList')} parent={{ label: t('valueLists'), to: '/value-lists' }}>
      {(storedList) => <ValueListForm key={id} id={id} stored={storedList} />}
    </DocumentLoader>
  )
}
