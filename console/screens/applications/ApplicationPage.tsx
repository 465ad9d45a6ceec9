import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { FormState, StoredDocument } from '../../components/form/use-form.ts'
import { NEW_RESOURCE_ID, useResource, useStoredDocument } from '../../components/form/use-resource.ts'
import { FactList, PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ApplicationNamedValues } from './ApplicationNamedValues.tsx'
import { applicationResource, type ApplicationForm as Document, useDeviceCounts } from './application-kind.ts'
import { DeviceRegistrationFields } from './DeviceRegistrationFields.tsx'
import { PushProviderFields } from './PushProviderFields.tsx'
import { applicationTexts } from './texts.ts'
import { useApplicationTabs } from './use-tabs.ts'

const route = getRouteApi('/settings/applications/$id')

function Members({ form, isReadOnly, isKept }: { form: FormState<Document>; isReadOnly: boolean; isKept: boolean }) {
  const t = useTranslator(applicationTexts)
  const common = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...common} at="/name" label={t('name')} />
        <LongTextField {...common} at="/description" label={t('description')} />
        <TextField {...common} at="/icon" type="url" label={t('icon')} help={t('iconHelp')} />
      </FieldGroup>
      <PushProviderFields {...common} />
      <ApplicationNamedValues {...common} of="routes" />
      <ApplicationNamedValues {...common} of="channels" />
      <DeviceRegistrationFields {...common} isKept={isKept} />
    </>
  )
}

/** How many devices use the application, and by which push service. */
function Devices({ id }: { id: string }) {
  const t = useTranslator(applicationTexts)
  const read = useDeviceCounts()
  const counts = read.data?.find(({ application }) => application === id)
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  if (!counts) return <p>{t('noDevices')}</p>
  const number = (key: 'subscriptions' | 'live' | 'contacts' | 'anonymous' | 'muted') => ({
    key,
    label: t(key === 'subscriptions' ? 'inAll' : key),
    value: <FormattedNumber value={counts[key]} />,
  })
  return (
    <FactList
      facts={[
        ...(['subscriptions', 'live', 'contacts', 'anonymous', 'muted'] as const).map(number),
        ...counts.providers.map(({ type, count }) => ({
          key: type,
          label: t(type),
          value: <FormattedNumber value={count} />,
        })),
        ...(counts.latest ? [{ key: 'latest', label: t('latest'), value: <FormattedTime at={counts.latest} /> }] : []),
      ]}
    />
  )
}

function Edit({ id, stored }: { id: string; stored: StoredDocument<Document> }) {
  const t = useTranslator(applicationTexts)
  const queries = useQueryClient()
  const isReadOnly = !useHasRight('admin')
  const tabs = useApplicationTabs(id, 'settings')
  const { name, active, registration } = stored.data
  const isKept = id !== NEW_RESOURCE_ID && registration.proof === 'required'
  const resource = useResource(applicationResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  const toggle = useAsyncAction(async () => {
    const path = { params: { path: { id } } }
    if (active) await readAnswer(apiClient.DELETE('/parameters/applications/{id}/activation', path))
    else await readAnswer(apiClient.POST('/parameters/applications/{id}/activation', path))
    showToast(t(active ? 'deactivated' : 'activated', { name }))
    for (const queryKey of [['application', id], ['applications']]) await queries.invalidateQueries({ queryKey })
  })
  return (
    <ResourcePage<Document>
      {...resource}
      title={resource.isNew ? t('newApplication') : name}
      parent={{ label: t('applications'), to: '/settings/applications' }}
      stored={stored}
      isReadOnly={isReadOnly}
      {...(!resource.isNew && { tabs })}
      badge={
        !resource.isNew && (
          <StateBadge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
        )
      }
      menu={
        !resource.isNew &&
        !isReadOnly && <Menu.Item onClick={() => void toggle.run()}>{t(active ? 'deactivate' : 'activate')}</Menu.Item>
      }
      pointers={[
        '/name',
        '/description',
        '/icon',
        '/routes',
        '/channels',
        '/registration/identifiers',
        '/registration/proof',
      ]}
      aside={
        !resource.isNew && (
          <>
            {toggle.error !== null && <ProblemAlert error={toggle.error} title={t('notActive')} />}
            <PagePanel title={t('devices')}>
              <Devices id={id} />
            </PagePanel>
          </>
        )
      }
    >
      {(form) => <Members {...{ form, isReadOnly, isKept }} />}
    </ResourcePage>
  )
}

/** An app or a site that gets pushes: its push services, routes and channels, and its devices. */
export function ApplicationPage() {
  const t = useTranslator(applicationTexts)
  const { id } = route.useParams()
  return (
    <DocumentLoader
      read={useStoredDocument(applicationResource, id)}
      title={t('application')}
      parent={{ label: t('applications'), to: '/settings/applications' }}
    >
      {(stored) => <Edit key={`${id} ${stored.data.active}`} id={id} stored={stored} />}
    </DocumentLoader>
  )
}
