import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { DateField } from '../../components/form/DateField.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, SwitchField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiDisplayCampaign, displayCampaignResource } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id/edit')

function CampaignForm({ id, stored: storedCampaign }: { id: string; stored: StoredDocument<ApiDisplayCampaign> }) {
  const t = useTranslator(displayTexts)
  const isReadOnly = !useHasRight('write')
  const { name } = storedCampaign.data
  const resource = useResource(displayCampaignResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteCampaign'),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<ApiDisplayCampaign>
      {...resource}
      title={resource.isNew ? t('newCampaign') : name}
      parent={
        resource.isNew
          ? { label: t('campaigns'), to: '/display' }
          : { label: t('campaign'), to: objectPaths.displayCampaign(id) }
      }
      stored={storedCampaign}
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
export function EditDisplayCampaignPage() {
  const t = useTranslator(displayTexts)
  const { id } = route.useParams()
  return (
    <DocumentLoader
      read={useStoredDocument(displayCampaignResource, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/display' }}
    >
      {(storedCampaign) => <CampaignForm key={id} id={id} stored={storedCampaign} />}
    </DocumentLoader>
  )
}
