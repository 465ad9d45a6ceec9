import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, NumberField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiPlacement, placementResource } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/placements/$id')

function PlacementForm({ id, stored: storedPlacement }: { id: string; stored: StoredDocument<ApiPlacement> }) {
  const t = useTranslator(displayTexts)
  const isReadOnly = !useHasRight('write')
  const { name } = storedPlacement.data
  const resource = useResource(placementResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deletePlacement'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<ApiPlacement>
      {...resource}
      title={resource.isNew ? t('newPlacement') : name}
      parent={{ label: t('placements'), to: '/display/placements' }}
      stored={storedPlacement}
      isReadOnly={isReadOnly}
      pointers={['/name', '/id', '/description', '/site', '/width', '/height']}
    >
      {(form) => (
        <FieldGroup>
          <TextField form={form} isReadOnly={isReadOnly} at="/name" label={t('name')} help={t('placementHelp')} />
          {resource.isNew && (
            <TextField form={form} isReadOnly={isReadOnly} at="/id" label={t('id')} help={t('idHelp')} />
          )}
          <TextField form={form} isReadOnly={isReadOnly} at="/site" label={t('site')} help={t('siteHelp')} />
          <NumberField form={form} isReadOnly={isReadOnly} at="/width" label={t('width')} min={1} unit="px" />
          <NumberField form={form} isReadOnly={isReadOnly} at="/height" label={t('height')} min={1} unit="px" />
          <LongTextField form={form} isReadOnly={isReadOnly} at="/description" label={t('description')} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

/** A place where contents are shown: where it is, and how large. */
export function EditPlacementPage() {
  const t = useTranslator(displayTexts)
  const { id } = route.useParams()
  return (
    <DocumentLoader
      read={useStoredDocument(placementResource, id)}
      title={t('placement')}
      parent={{ label: t('placements'), to: '/display/placements' }}
    >
      {(storedPlacement) => <PlacementForm key={id} id={id} stored={storedPlacement} />}
    </DocumentLoader>
  )
}
