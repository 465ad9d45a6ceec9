import { getRouteApi } from '@tanstack/react-router'
import { api, data, versioned } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { DateField } from '../../components/form/DateField.tsx'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { type Kind, NEW, useResource, useStored } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import type { Campaign } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns/$id/edit')

/** What the form changes: items have their own place. */
function bodyOf({ name, description, startDate, endDate }: Campaign) {
  return { name, description: description || null, startDate, endDate }
}

export const campaignKind: Kind<Campaign> = {
  ...{ name: 'campaign', list: 'campaigns', home: '/campaigns', pathOf: pathOf.campaign, idOf: ({ id }) => id },
  blank: {
    ...{ id: '', name: '', description: null, startDate: null, endDate: null },
    ...{ creationDate: '', updateDate: '', items: [] },
  },
  read: (id, init) => versioned(api.GET('/campaigns/{id}', { params: { path: { id } }, ...init })),
  create: (campaign) => versioned(api.POST('/campaigns', { body: bodyOf(campaign) })),
  replace: (id, campaign, headers) =>
    versioned(api.PUT('/campaigns/{id}', { params: { path: { id } }, headers, body: bodyOf(campaign) })),
  remove: (id) => data(api.DELETE('/campaigns/{id}', { params: { path: { id } } })),
}

function Form({ id, stored }: { id: string; stored: Stored<Campaign> }) {
  const t = useText(campaignTexts)
  const isReadOnly = !useMay('write')
  const { name, items } = stored.data
  const resource = useResource(campaignKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy', { count: items.length }),
    done: t('deleted', { name }),
  })
  return (
    <ResourcePage<Campaign>
      {...resource}
      title={resource.isNew ? t('newCampaign') : name}
      parent={
        resource.isNew ? { label: t('campaigns'), to: '/campaigns' } : { label: t('campaign'), to: pathOf.campaign(id) }
      }
      stored={stored}
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

function Edit({ id }: { id: string }) {
  const t = useText(campaignTexts)
  return (
    <Loaded
      read={useStored(campaignKind, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/campaigns' }}
    >
      {(stored) => <Form key={id} id={id} stored={stored} />}
    </Loaded>
  )
}

/** A campaign that is made; what it groups is added on its page. */
export function NewCampaign() {
  return <Edit id={NEW} />
}

/** Name, description and dates of a campaign. */
export function EditCampaign() {
  return <Edit id={route.useParams().id} />
}
