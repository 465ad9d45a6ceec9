import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useHasRight } from '../../api/me.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { type ResourceDefinition, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiDisplayContent, displayContentResource, formatPlacementName, usePlacements } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id/contents/$content')

function ContentForm({
  kind,
  id,
  stored: storedContent,
}: {
  kind: ResourceDefinition<ApiDisplayContent>
  id: string
  stored: StoredDocument<ApiDisplayContent>
}) {
  const t = useTranslator(displayTexts)
  const isReadOnly = !useHasRight('write')
  const placements = usePlacements().data ?? []
  const { name } = storedContent.data
  const resource = useResource(kind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteContent'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<ApiDisplayContent>
      {...resource}
      title={resource.isNew ? t('newContent') : name}
      parent={{ label: t('campaign'), to: kind.home }}
      stored={storedContent}
      isReadOnly={isReadOnly}
      pointers={['/name', '/id', '/url', '/placements', '/description']}
    >
      {(form) => (
        <FieldGroup>
          <TextField form={form} isReadOnly={isReadOnly} at="/name" label={t('name')} help={t('contentHelp')} />
          {resource.isNew && (
            <TextField form={form} isReadOnly={isReadOnly} at="/id" label={t('id')} help={t('idHelp')} />
          )}
          <TextField form={form} isReadOnly={isReadOnly} at="/url" type="url" label={t('url')} help={t('urlHelp')} />
          <MultiChoiceField
            form={form}
            isReadOnly={isReadOnly}
            at="/placements"
            label={t('placements')}
            help={t('placementsHelp')}
            choices={placements.map((placement) => ({ value: placement.id, label: formatPlacementName(placement) }))}
          />
          <SwitchField form={form} isReadOnly={isReadOnly} at="/active" label={t('isActive')} help={t('activeHelp')} />
          <LongTextField form={form} isReadOnly={isReadOnly} at="/description" label={t('description')} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

/** A content of a display campaign: where it leads, and where it may be shown. */
export function EditDisplayContentPage() {
  const t = useTranslator(displayTexts)
  const { id, content } = route.useParams()
  const contentResource = useMemo(() => displayContentResource(id), [id])
  return (
    <DocumentLoader
      read={useStoredDocument(contentResource, content)}
      title={t('content')}
      parent={{ label: t('campaign'), to: contentResource.home }}
    >
      {(storedContent) => <ContentForm key={content} kind={contentResource} id={content} stored={storedContent} />}
    </DocumentLoader>
  )
}
