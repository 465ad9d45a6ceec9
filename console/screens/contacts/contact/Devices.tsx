import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import styles from './Memberships.module.css'
import { contactPageTexts } from './texts.ts'

type Device = Answer<'/targets/{id}/subscriptions', 'get'>[number]

const PROVIDERS = { apns: 'apns', firebase: 'firebase', http: 'http', webpush: 'webpush' } as const

function Line({ device, application }: { device: Device; application: string | undefined }) {
  const t = useText(contactPageTexts)
  return (
    <li>
      <span>
        {t(PROVIDERS[device.provider.type])}
        {application !== undefined && ` · ${application}`}
      </span>
      {device.muted?.global ? (
        <Badge tone="warning" hint={t('mutedHint')}>
          {t('muted')}
        </Badge>
      ) : (
        <small>
          <Time at={device.lifecycle.creation.date} as="date" />
        </small>
      )}
    </li>
  )
}

/** The devices and browsers that a contact gets notifications on. */
export function Devices({ id }: { id: string }) {
  const t = useText(contactPageTexts)
  const devices = useQuery({
    queryKey: ['contact', id, 'devices'],
    queryFn: ({ signal }) => data(api.GET('/targets/{id}/subscriptions', { params: { path: { id } }, signal })),
  })
  const applications = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => data(api.GET('/parameters/applications', { signal })),
    enabled: (devices.data?.length ?? 0) > 0,
  })
  const nameOf = (application: string) => applications.data?.find((one) => one.id === application)?.name
  if (devices.data?.length === 0 || devices.isPending) return null
  return (
    <Panel title={t('devices')}>
      {devices.error && <Problem error={devices.error} onRetry={() => void devices.refetch()} />}
      <ul className={styles['segments']}>
        {devices.data?.map((device) => (
          <Line key={device.id} device={device} application={nameOf(device.application)} />
        ))}
      </ul>
    </Panel>
  )
}
