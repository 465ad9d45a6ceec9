import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSegments } from '../../api/definitions.ts'
import { useHasRight } from '../../api/me.ts'
import { useCancellationLabel } from '../../components/cancellations/cancellations.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { readPointerValue } from '../../components/form/pointers.ts'
import { FactList, type LabelledFact } from '../../components/layout/PagePanel.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { findChannelCarrier, gatewaysQuery } from '../gateways/model.ts'
import type { ApiAction } from '../messages/action.ts'
import { MessageFindings } from '../messages/MessageFindings.tsx'
import { useSendingSettings } from '../messages/use-sending.ts'
import type { EditedMessage, MessageChannelSpec } from '../messages/write/channel.ts'
import { readMessageSegments, useMessageAudience } from '../messages/write/use-audience.ts'
import type { ApiApproval } from './approval-calls.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import { useDepartureLabel } from './use-departure.ts'

interface MessageProps {
  channel: MessageChannelSpec
  message: EditedMessage
}

const readText = (message: EditedMessage, pointer: string): string => {
  const value = readPointerValue(message, pointer)
  return typeof value === 'string' ? value : ''
}

/** Sender of an email: its own, completed by the default profile. */
function useSenderLabel({ channel, message }: MessageProps): string {
  const profiles = useSendingSettings().data?.profiles ?? []
  if (channel.name !== 'email') return ''
  const profile = profiles.find((candidate) => candidate.channel === 'email' && candidate.default)?.from
  const own = (part: string): string => readText(message, `/content/headers/from/${part}`)
  const [label, prefix, domain] = [
    own('label') || profile?.label || '',
    own('prefix') || profile?.prefix || '',
    own('domain') || profile?.domain || '',
  ]
  const address = prefix && domain ? `${prefix}@${domain}` : ''
  return label && address ? `${label} <${address}>` : label || address
}

/** Names of the segments, and who is left out with the reason. */
function AudienceFact({ channel, message }: MessageProps) {
  const t = useTranslator(reviewTexts)
  const format = useLocaleFormat()
  const cancellationLabel = useCancellationLabel()
  const segments = useSegments().data ?? []
  const audience = useMessageAudience(channel, message).data
  const nameOf = (id: number): string => segments.find((segment) => segment.id === id)?.name ?? String(id)
  const { selected, excluded } = readMessageSegments(channel, message)
  const leftOut = [
    ...(audience?.cannot ?? []).map(({ type, count }) => `${cancellationLabel(type)}: ${format.number(count)}`),
    ...(audience && audience.pressure.stopped > 0
      ? [`${t('pressureStops')}: ${format.number(audience.pressure.stopped)}`]
      : []),
  ]
  return (
    <>
      {audience && <strong>{t('audience', { count: audience.net })}</strong>}
      <div>
        <bdi>{format.list(selected.map(nameOf))}</bdi>
        {excluded.length > 0 && ` ${t('without', { names: format.list(excluded.map(nameOf)) })}`}
      </div>
      {leftOut.length > 0 && (
        <small>
          {t('leftOut')} {leftOut.join(', ')}
        </small>
      )}
    </>
  )
}

/** Whether messages of the channel reach people, or are captured. */
function DeliveryFact({ channel }: { channel: MessageChannelSpec }) {
  const t = useTranslator(reviewTexts)
  const gateways = useQuery(gatewaysQuery).data
  if (!gateways) return null
  const carrier = findChannelCarrier(gateways, channel.name)
  return carrier ? (
    <StateBadge tone="good">{t('isReal', { name: carrier.name })}</StateBadge>
  ) : (
    <StateBadge tone="warning" hint={t('isCapturedWhy')}>
      {t('isCaptured')}
    </StateBadge>
  )
}

function MessageFacts(props: MessageProps) {
  const t = useTranslator(reviewTexts)
  const { channel, message } = props
  const sender = useSenderLabel(props)
  const departure = useDepartureLabel(channel, message)
  const subject = readText(message, '/content/subject')
  const addFact = (key: 'subject' | 'from' | 'to' | 'when' | 'delivery', value: ReactNode): LabelledFact[] =>
    value === '' ? [] : [{ key, label: t(`fact_${key}`), value }]
  return (
    <FactList
      facts={[
        ...addFact('subject', subject),
        ...addFact('from', sender),
        ...addFact('to', channel.isCampaign(message) ? <AudienceFact {...props} /> : t('onDemand')),
        ...addFact('when', departure),
        ...addFact('delivery', <DeliveryFact channel={channel} />),
      ]}
    />
  )
}

interface Props extends Partial<MessageProps> {
  approval: ApiApproval
}

/** Who asks and why, and everything that is decided about. */
export function ApprovalFacts({ approval, channel, message }: Props) {
  const t = useTranslator(reviewTexts)
  const canReadAudit = useHasRight('admin')
  const { object, askedBy, askedAt, comment, audience, decision, state } = approval
  return (
    <section className={styles['facts']} aria-label={t('facts')}>
      <p>
        {t('asksToSend', { name: askedBy.name })} <ObjectLink type={object.type} id={object.id} name={object.name} />{' '}
        <small>
          <FormattedTime at={askedAt} />
        </small>
      </p>
      {comment && <blockquote className={styles['comment']}>{comment}</blockquote>}
      {channel && message ? (
        <MessageFacts channel={channel} message={message} />
      ) : (
        audience !== null && (
          <p>
            <FormattedNumber value={audience} /> {t('fact_to')}
          </p>
        )
      )}
      {channel?.asked === 'action' && <MessageFindings message={message as unknown as ApiAction} />}
      {state === 'stale' && (
        <p>
          {t('staleWhy')}{' '}
          {canReadAudit && (
            <Link to="/settings/audit" search={{ object: `${object.type}:${object.id}`, start: askedAt.slice(0, 10) }}>
              {t('changedSince')}
            </Link>
          )}
        </p>
      )}
      {decision && (
        <p>
          {t('decidedBy', { name: decision.by.name })} <FormattedTime at={decision.at} />
          {decision.comment && <q>{decision.comment}</q>}
        </p>
      )}
    </section>
  )
}
