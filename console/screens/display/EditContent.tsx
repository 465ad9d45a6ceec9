import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMay } from '../../api/me.ts'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ManyField } from '../../components/form/ManyField.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { type Kind, useResource, useStored } from '../../components/form/use-resource.ts'
import { useText } from '../../text/catalogue.ts'
import { type Content, contentKind, placementName, usePlacements } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id/contents/$content')

function Form({ kind, id, stored }: { kind: Kind<Content>; id: string; stored: Stored<Content> }) {
  const t = useText(displayTexts)
  const isReadOnly = !useMay('write')
  const placements = usePlacements().data ?? []
  const { name } = stored.data
  const resource = useResource(kind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteContent'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<Content>
      {...resource}
      title={resource.isNew ? t('newContent') : name}
      parent={{ label: t('campaign'), to: kind.home }}
      stored={stored}
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
          <ManyField
            form={form}
            isReadOnly={isReadOnly}
            at="/placements"
            label={t('placements')}
            help={t('placementsHelp')}
            choices={placements.map((placement) => ({ value: placement.id, label: placementName(placement) }))}
          />
          <SwitchField form={form} isReadOnly={isReadOnly} at="/active" label={t('isActive')} help={t('activeHelp')} />
          <LongTextField form={form} isReadOnly={isReadOnly} at="/description" label={t('description')} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

/** A content of a display campaign: where it leads, and where it may be shown. */
export function EditContent() {
  const t = useText(displayTexts)
  const { id, content } = route.useParams()
  const kind = useMemo(() => contentKind(id), [id])
  return (
    <Loaded read={useStored(kind, content)} title={t('content')} parent={{ label: t('campaign'), to: kind.home }}>
      {(stored) => <Form key={content} kind={kind} id={content} stored={stored} />}
    </Loaded>
  )
}
