import { Menu } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { FieldGroup, LongTextField, TextField } from '../../components/form/fields.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { ResourcePage } from '../../components/form/ResourcePage.tsx'
import type { Form, Stored } from '../../components/form/use-form.ts'
import { NEW, useResource, useStored } from '../../components/form/use-resource.ts'
import { Facts, Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { applicationKind, type Application as Document, useDevices } from './application-kind.ts'
import { NamedValues } from './NamedValues.tsx'
import { Providers } from './Providers.tsx'
import { Registration } from './Registration.tsx'
import { applicationTexts } from './texts.ts'
import { useTabs } from './use-tabs.ts'

const route = getRouteApi('/settings/applications/$id')

function Members({ form, isReadOnly, isKept }: { form: Form<Document>; isReadOnly: boolean; isKept: boolean }) {
  const t = useText(applicationTexts)
  const common = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...common} at="/name" label={t('name')} />
        <LongTextField {...common} at="/description" label={t('description')} />
        <TextField {...common} at="/icon" type="url" label={t('icon')} help={t('iconHelp')} />
      </FieldGroup>
      <Providers {...common} />
      <NamedValues {...common} of="routes" />
      <NamedValues {...common} of="channels" />
      <Registration {...common} isKept={isKept} />
    </>
  )
}

/** How many devices use the application, and by which push service. */
function Devices({ id }: { id: string }) {
  const t = useText(applicationTexts)
  const read = useDevices()
  const counts = read.data?.find(({ application }) => application === id)
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  if (!counts) return <p>{t('noDevices')}</p>
  const number = (key: 'subscriptions' | 'live' | 'contacts' | 'anonymous' | 'muted') => ({
    key,
    label: t(key === 'subscriptions' ? 'inAll' : key),
    value: <Num value={counts[key]} />,
  })
  return (
    <Facts
      facts={[
        ...(['subscriptions', 'live', 'contacts', 'anonymous', 'muted'] as const).map(number),
        ...counts.providers.map(({ type, count }) => ({ key: type, label: t(type), value: <Num value={count} /> })),
        ...(counts.latest ? [{ key: 'latest', label: t('latest'), value: <Time at={counts.latest} /> }] : []),
      ]}
    />
  )
}

function Edit({ id, stored }: { id: string; stored: Stored<Document> }) {
  const t = useText(applicationTexts)
  const queries = useQueryClient()
  const isReadOnly = !useMay('admin')
  const tabs = useTabs(id, 'settings')
  const { name, active, registration } = stored.data
  const isKept = id !== NEW && registration.proof === 'required'
  const resource = useResource(applicationKind, id, {
    title: t('deleteTitle', { name }),
    action: t('delete'),
    why: t('deleteWhy'),
    done: t('deleted', { name }),
  })
  const toggle = useAct(async () => {
    const path = { params: { path: { id } } }
    if (active) await data(api.DELETE('/parameters/applications/{id}/activation', path))
    else await data(api.POST('/parameters/applications/{id}/activation', path))
    tell(t(active ? 'deactivated' : 'activated', { name }))
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
      badge={!resource.isNew && <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>}
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
            {toggle.error !== null && <Problem error={toggle.error} title={t('notActive')} />}
            <Panel title={t('devices')}>
              <Devices id={id} />
            </Panel>
          </>
        )
      }
    >
      {(form) => <Members {...{ form, isReadOnly, isKept }} />}
    </ResourcePage>
  )
}

/** An app or a site that gets pushes: its push services, routes and channels, and its devices. */
export function Application() {
  const t = useText(applicationTexts)
  const { id } = route.useParams()
  return (
    <Loaded
      read={useStored(applicationKind, id)}
      title={t('application')}
      parent={{ label: t('applications'), to: '/settings/applications' }}
    >
      {(stored) => <Edit key={`${id} ${stored.data.active}`} id={id} stored={stored} />}
    </Loaded>
  )
}
