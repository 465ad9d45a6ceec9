import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ContactMemberships.module.css'
import { contactPageTexts } from './texts.ts'

type Device = ApiAnswer<'/targets/{id}/subscriptions', 'get'>[number]

const PROVIDERS = { apns: 'apns', firebase: 'firebase', http: 'http', webpush: 'webpush' } as const

function Line({ device, application }: { device: Device; application: string | undefined }) {
  const t = useTranslator(contactPageTexts)
  return (
    <li>
      <span>
        {t(PROVIDERS[device.provider.type])}
        {application !== undefined && ` · ${application}`}
      </span>
      {device.muted?.global ? (
        <StateBadge tone="warning" hint={t('mutedHint')}>
          {t('muted')}
        </StateBadge>
      ) : (
        <small>
          <FormattedTime at={device.lifecycle.creation.date} as="date" />
        </small>
      )}
    </li>
  )
}

/** The devices and browsers that a contact gets notifications on. */
export function ContactDevices({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const devices = useQuery({
    queryKey: ['contact', id, 'devices'],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/targets/{id}/subscriptions', { params: { path: { id } }, signal })),
  })
  const applications = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/parameters/applications', { signal })),
    enabled: (devices.data?.length ?? 0) > 0,
  })
  const nameOf = (application: string) => applications.data?.find((one) => one.id === application)?.name
  if (devices.data?.length === 0 || devices.isPending) return null
  return (
    <PagePanel title={t('devices')}>
      {devices.error && <ProblemAlert error={devices.error} onRetry={() => void devices.refetch()} />}
      <ul className={styles['segments']}>
        {devices.data?.map((device) => (
          <Line key={device.id} device={device} application={nameOf(device.application)} />
        ))}
      </ul>
    </PagePanel>
  )
}
