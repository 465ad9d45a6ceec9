import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { FieldGroup, LongTextField, NumberField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { useResource, useStored } from '../../components/form/use-resource.ts'
import { useText } from '../../text/catalogue.ts'
import { type Placement, placementKind } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/placements/$id')

function Form({ id, stored }: { id: string; stored: Stored<Placement> }) {
  const t = useText(displayTexts)
  const isReadOnly = !useMay('write')
  const { name } = stored.data
  const resource = useResource(placementKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deletePlacement'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<Placement>
      {...resource}
      title={resource.isNew ? t('newPlacement') : name}
      parent={{ label: t('placements'), to: '/display/placements' }}
      stored={stored}
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
export function EditPlacement() {
  const t = useText(displayTexts)
  const { id } = route.useParams()
  return (
    <Loaded
      read={useStored(placementKind, id)}
      title={t('placement')}
      parent={{ label: t('placements'), to: '/display/placements' }}
    >
      {(stored) => <Form key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
