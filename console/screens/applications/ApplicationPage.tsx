import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
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
import { type ApplicationForm, applicationResource, useDeviceCounts } from './application-kind.ts'
import { DeviceRegistrationFields } from './DeviceRegistrationFields.tsx'
import { PushProviderFields } from './PushProviderFields.tsx'
import { applicationTexts } from './texts.ts'
import { useApplicationTabs } from './use-tabs.ts'

const route = getRouteApi('/settings/applications/$id')

function ApplicationFields({
  form,
  isReadOnly,
  isKept,
}: {
  form: FormState<ApplicationForm>
  isReadOnly: boolean
  isKept: boolean
}) {
  const t = useTranslator(applicationTexts)
  const fieldProps = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <LongTextField {...fieldProps} at="/description" label={t('description')} />
        <TextField {...fieldProps} at="/icon" type="url" label={t('icon')} help={t('iconHelp')} />
      </FieldGroup>
      <PushProviderFields {...fieldProps} />
      <ApplicationNamedValues {...fieldProps} of="routes" />
      <ApplicationNamedValues {...fieldProps} of="channels" />
      <DeviceRegistrationFields {...fieldProps} isKept={isKept} />
    </>
  )
}

/** Number of devices that use the application, by push service. */
function DeviceCounts({ id }: { id: string }) {
  const t = useTranslator(applicationTexts)
  const countsQuery = useDeviceCounts()
  const deviceCounts = countsQuery.data?.find(({ application }) => application === id)
  if (countsQuery.error) return <ProblemAlert error={countsQuery.error} onRetry={() => void countsQuery.refetch()} />
  if (!countsQuery.data) return null
  if (!deviceCounts) return <p>{t('noDevices')}</p>
  const formatCount = (key: 'subscriptions' | 'live' | 'contacts' | 'anonymous' | 'muted') => ({
    key,
    label: t(key === 'subscriptions' ? 'inAll' : key),
    value: <FormattedNumber value={deviceCounts[key]} />,
  })
  return (
    <FactList
      facts={[
        ...(['subscriptions', 'live', 'contacts', 'anonymous', 'muted'] as const).map(formatCount),
        ...deviceCounts.providers.map(({ type, count }) => ({
          key: type,
          label: t(type),
          value: <FormattedNumber value={count} />,
        })),
        ...(deviceCounts.latest
          ? [{ key: 'latest', label: t('latest'), value: <FormattedTime at={deviceCounts.latest} /> }]
          : []),
      ]}
    />
  )
}

function ApplicationEditor({ id, stored: storedDocument }: { id: string; stored: StoredDocument<ApplicationForm> }) {
  const t = useTranslator(applicationTexts)
  const queryClient = useQueryClient()
  const isReadOnly = !useHasRight('admin')
  const tabs = useApplicationTabs(id, 'settings')
  const { name, active, registration } = storedDocument.data
  const isSecretStored = id !== NEW_RESOURCE_ID && registration.proof === 'required'
  const resource = useResource(applicationResource, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  const toggleActive = useAsyncAction(async () => {
    const path = { path: { id } }
    if (active) await apiClient.deactivateApplication(path)
    else await apiClient.activateApplication(path)
    showToast(t(active ? 'deactivated' : 'activated', { name }))
    for (const queryKey of [['application', id], ['applications']]) await queryClient.invalidateQueries({ queryKey })
  })
  return (
    <ResourcePage<ApplicationForm>
      {...resource}
      title={resource.isNew ? t('newApplication') : name}
      parent={{ label: t('applications'), to: '/settings/applications' }}
      stored={storedDocument}
      isReadOnly={isReadOnly}
      {...(!resource.isNew && { tabs })}
      badge={
        !resource.isNew && (
          <StateBadge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
        )
      }
      menu={
        !resource.isNew &&
        !isReadOnly && (
          <Menu.Item onClick={() => void toggleActive.run()}>{t(active ? 'deactivate' : 'activate')}</Menu.Item>
        )
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
            {toggleActive.error !== null && <ProblemAlert error={toggleActive.error} title={t('notActive')} />}
            <PagePanel title={t('devices')}>
              <DeviceCounts id={id} />
            </PagePanel>
          </>
        )
      }
    >
      {(form) => <ApplicationFields form={form} isReadOnly={isReadOnly} isKept={isSecretStored} />}
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
      {(storedDocument) => (
        <ApplicationEditor key={`${id} ${storedDocument.data.active}`} id={id} stored={storedDocument} />
      )}
    </DocumentLoader>
  )
}
