import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { DateField } from '../../components/form/DateField.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import {
  NEW_RESOURCE_ID,
  type ResourceDefinition,
  useResource,
  useStoredDocument,
} from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import type { ListedApiCampaign } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns/$id/edit')

/** Members that the form changes: items are edited elsewhere. */
function buildBody({ name, description, startDate, endDate }: ListedApiCampaign) {
  return { name, description: description || null, startDate, endDate }
}

export const campaignResource: ResourceDefinition<ListedApiCampaign> = {
  name: 'campaign',
  list: 'campaigns',
  home: '/campaigns',
  pathOf: objectPaths.campaign,
  idOf: ({ id }) => id,
  blank: {
    id: '',
    name: '',
    description: null,
    startDate: null,
    endDate: null,
    creationDate: '',
    updateDate: '',
    items: [],
  },
  read: (id, init) => readVersionedAnswer(apiClient.getCampaign, { path: { id }, ...init }),
  create: (campaign) => readVersionedAnswer(apiClient.createCampaign, { body: buildBody(campaign) }),
  replace: (id, campaign, headers) =>
    readVersionedAnswer(apiClient.updateCampaign, { path: { id }, headers, body: buildBody(campaign) }),
  remove: (id) => apiClient.deleteCampaign({ path: { id } }),
}

function CampaignForm({ id, stored: storedCampaign }: { id: string; stored: StoredDocument<ListedApiCampaign> }) {
  const t = useTranslator(campaignTexts)
  const isReadOnly = !useHasRight('write')
  const { name, items } = storedCampaign.data
  const resource = useResource(campaignResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy', { count: items.length }),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<ListedApiCampaign>
      {...resource}
      title={resource.isNew ? t('newCampaign') : name}
      parent={
        resource.isNew
          ? { label: t('campaigns'), to: '/campaigns' }
          : { label: t('campaign'), to: objectPaths.campaign(id) }
      }
      stored={storedCampaign}
      isReadOnly={isReadOnly}
      pointers={['/name', '/description', '/startDate', '/endDate']}
    >
      {(form) => (
        <FieldGroup>
          <TextField form={form} at="/name" label={t('name')} isReadOnly={isReadOnly} />
          <LongTextField form={form} at="/description" label={t('description')} isReadOnly={isReadOnly} />
          <DateField form={form} at="/startDate" label={t('start')} isReadOnly={isReadOnly} />
          <DateField form={form} at="/endDate" label={t('end')} help={t('datesHelp')} isReadOnly={isReadOnly} />
        </FieldGroup>
      )}
    </ResourcePage>
  )
}

function CampaignEditor({ id }: { id: string }) {
  const t = useTranslator(campaignTexts)
  return (
    <DocumentLoader
      read={useStoredDocument(campaignResource, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
    >
      {(storedCampaign) => <CampaignForm key={id} id={id} stored={storedCampaign} />}
    </DocumentLoader>
  )
}

/** A campaign that is made; what it groups is added on its page. */
export function NewCampaignPage() {
  return <CampaignEditor id={NEW_RESOURCE_ID} />
}

/** Name, description and dates of a campaign. */
export function EditCampaignPage() {
  return <CampaignEditor id={route.useParams().id} />
}
