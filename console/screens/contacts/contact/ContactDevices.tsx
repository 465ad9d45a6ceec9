import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ContactMemberships.module.css'
import { contactPageTexts } from './texts.ts'

type ContactDevice = ApiAnswer<'listTargetSubscriptions'>[number]

const PROVIDER_LABELS = { apns: 'apns', firebase: 'firebase', http: 'http', webpush: 'webpush' } as const

function DeviceLine({ device, application }: { device: ContactDevice; application: string | undefined }) {
  const t = useTranslator(contactPageTexts)
  return (
    <li>
      <span>
        {t(PROVIDER_LABELS[device.provider.type])}
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
  const devicesQuery = useQuery({
    queryKey: ['contact', id, 'devices'],
    queryFn: ({ signal }) => apiClient.listTargetSubscriptions({ path: { id }, signal }),
  })
  const applications = useQuery({
    queryKey: ['applications'],
    queryFn: ({ signal }) => apiClient.listApplications({ signal }),
    enabled: (devicesQuery.data?.length ?? 0) > 0,
  })
  const findApplicationName = (application: string) =>
    applications.data?.find((candidate) => candidate.id === application)?.name
  if (devicesQuery.data?.length === 0 || devicesQuery.isPending) return null
  return (
    <PagePanel title={t('devices')}>
      {devicesQuery.error && <ProblemAlert error={devicesQuery.error} onRetry={() => void devicesQuery.refetch()} />}
      <ul className={styles['segments']}>
        {devicesQuery.data?.map((device) => (
          <DeviceLine key={device.id} device={device} application={findApplicationName(device.application)} />
        ))}
      </ul>
    </PagePanel>
  )
}
