import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useHasRight } from '../../../api/me.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type BadgeTone, StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import { ContactPressureUsage } from './ContactPressureUsage.tsx'
import styles from './ReachabilityPanel.module.css'
import { RedListRemovalDialog } from './RedListRemovalDialog.tsx'
import { type ApiUnreachableReason, useReachabilityReasons } from './reasons.ts'
import { contactPageTexts } from './texts.ts'
import { type ApiRedListName, useContactRedLists } from './use-listing.ts'

const route = getRouteApi('/contacts/$id')

type ReachabilityAnswer = ApiAnswer<'getTargetReachability'>
type ReachChannel = keyof ReachabilityAnswer
const CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const satisfies readonly ReachChannel[]

interface ReachabilityProps {
  contact: ListedApiContact
  fields: readonly ContactListField[]
}

/** Why not, with what can be done about it here. */
function ReachabilityReason({ because, contact, fields }: ReachabilityProps & { because: ApiUnreachableReason }) {
  const t = useTranslator(contactPageTexts)
  const canWrite = useHasRight('write')
  const { clear } = useContactRedLists(contact.id)
  const [unlisting, setUnlisting] = useState<ApiRedListName | null>(null)
  const { words, at, list, flag } = useReachabilityReasons(contact, fields)(because)
  return (
    <li>
      {words}
      {at !== undefined && (
        <>
          {', '}
          <FormattedTime at={at} as="date" />
        </>
      )}
      {canWrite && list && (
        <Anchor component="button" type="button" onClick={() => setUnlisting(list)}>
          {t('unlist')}
        </Anchor>
      )}
      {canWrite && flag && (
        <Anchor component="button" type="button" onClick={() => void clear(flag)}>
          {t('clear')}
        </Anchor>
      )}
      {unlisting && <RedListRemovalDialog id={contact.id} list={unlisting} onClose={() => setUnlisting(null)} />}
    </li>
  )
}

/** Reasons that are no fault of anybody: there is nothing to write to. */
const ABSENT_ADDRESS_REASONS = ['empty address', 'no subscription']

function findReachTone({ may, until, because }: ReachabilityAnswer[ReachChannel]): BadgeTone {
  if (may) return 'good'
  if (until !== null) return 'warning'
  return because.every(({ type }) => ABSENT_ADDRESS_REASONS.includes(type)) ? 'neutral' : 'bad'
}

function ChannelLine({
  channel,
  reach,
  ...about
}: ReachabilityProps & { channel: ReachChannel; reach: ReachabilityAnswer[ReachChannel] }) {
  const t = useTranslator(contactPageTexts)
  return (
    <li className={styles['channel']}>
      <div className={styles['answer']}>
        <strong>{t(channel)}</strong>
        <StateBadge tone={findReachTone(reach)}>
          {reach.may ? t('may') : reach.until === null ? t('mayNot') : t('notYet')}
        </StateBadge>
      </div>
      {reach.until !== null && (
        <p>
          {t('until')} <FormattedTime at={reach.until} as="moment" />
        </p>
      )}
      {reach.because.length > 0 && (
        <ul className={styles['reasons']}>
          {reach.because.map((because) => (
            <ReachabilityReason key={because.type} because={because} {...about} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Reachability of a contact on each channel now, with the reasons against it. */
export function ReachabilityPanel({ contact, fields }: ReachabilityProps) {
  const t = useTranslator(contactPageTexts)
  const { purpose = 'marketing' } = route.useSearch()
  const navigate = route.useNavigate()
  const reachQuery = useQuery({
    queryKey: ['contact', contact.id, 'reach', purpose],
    queryFn: ({ signal }) => apiClient.getTargetReachability({ path: { id: contact.id }, query: { purpose }, signal }),
  })
  const choosePurpose = (chosenPurpose: string): void =>
    void navigate({
      search: (before) => ({ ...before, purpose: chosenPurpose === 'service' ? ('service' as const) : undefined }),
      replace: true,
    })
  return (
    <PagePanel
      title={t('reach')}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={t('purpose')}
          data={[
            { value: 'marketing', label: t('marketing') },
            { value: 'service', label: t('service') },
          ]}
          value={purpose}
          onChange={choosePurpose}
        />
      }
    >
      {reachQuery.error && <ProblemAlert error={reachQuery.error} onRetry={() => void reachQuery.refetch()} />}
      {reachQuery.isPending && <LoadingSkeleton lines={[80, 60, 70, 60]} />}
      {reachQuery.data && (
        <ul className={styles['channels']}>
          {CHANNELS.map((channel) => (
            <ChannelLine
              key={channel}
              channel={channel}
              reach={reachQuery.data[channel]}
              contact={contact}
              fields={fields}
            />
          ))}
        </ul>
      )}
      <ContactPressureUsage id={contact.id} />
    </PagePanel>
  )
}
