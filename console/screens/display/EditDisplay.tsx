import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { DateField } from '../../components/form/DateField.tsx'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { useResource, useStored } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { type DisplayCampaign, displayKind } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id/edit')

function Form({ id, stored }: { id: string; stored: Stored<DisplayCampaign> }) {
  const t = useText(displayTexts)
  const isReadOnly = !useMay('write')
  const { name } = stored.data
  const resource = useResource(displayKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteCampaign'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<DisplayCampaign>
      {...resource}
      title={resource.isNew ? t('newCampaign') : name}
      parent={
        resource.isNew
          ? { label: t('campaigns'), to: '/display' }
          : { label: t('campaign'), to: pathOf.displayCampaign(id) }
      }
      stored={stored}
      isReadOnly={isReadOnly}
      pointers={['/name', '/id', '/description', '/startDate', '/endDate']}
    >
      {(form) => (
        <FieldGroup>
          <TextField form={form} isReadOnly={isReadOnly} at="/name" label={t('name')} />
          {resource.isNew && (
            <TextField form={form} isReadOnly={isReadOnly} at="/id" label={t('id')} help={t('idHelp')} />
          )}
          <LongTextField form={form} isReadOnly={isReadOnly} at="/description" label={t('description')} />
          <SwitchField form={form} isReadOnly={isReadOnly} at="/active" label={t('isActive')} help={t('activeHelp')} />
          <DateField form={form} isReadOnly={isReadOnly} at="/startDate" label={t('start')} />
          <DateField form={form} isReadOnly={isReadOnly} at="/endDate" label={t('end')} help={t('datesHelp')} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

/** Name, dates and state of a display campaign. */
export function EditDisplay() {
  const t = useText(displayTexts)
  const { id } = route.useParams()
  return (
    <Loaded read={useStored(displayKind, id)} title={t('campaign')} parent={{ label: t('campaigns'), to: '/display' }}>
      {(stored) => <Form key={id} id={id} stored={stored} />}
    </Loaded>
  )
}
