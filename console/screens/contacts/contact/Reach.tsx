import { Anchor, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import type { Answer } from '../../../api/shapes.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Contact, Field } from '../contact-columns.tsx'
import { Counted } from './Counted.tsx'
import styles from './Reach.module.css'
import { type Because, useReasons } from './reasons.ts'
import { contactPageTexts } from './texts.ts'
import { UnlistDialog } from './UnlistDialog.tsx'
import { type RedListName, useListing } from './use-listing.ts'

const route = getRouteApi('/contacts/$id')

type Channels = Answer<'/targets/{id}/reachability', 'get'>
type Channel = keyof Channels
const CHANNELS = ['email', 'sms', 'rcs', 'notification'] as const satisfies readonly Channel[]

interface About {
  contact: Contact
  fields: readonly Field[]
}

/** Why not, with what can be done about it here. */
function Reason({ because, contact, fields }: About & { because: Because }) {
  const t = useText(contactPageTexts)
  const mayWrite = useMay('write')
  const { clear } = useListing(contact.id)
  const [unlisting, setUnlisting] = useState<RedListName | null>(null)
  const { words, at, list, flag } = useReasons(contact, fields)(because)
  return (
    <li>
      {words}
      {at !== undefined && (
        <>
          {', '}
          <Time at={at} as="date" />
        </>
      )}
      {mayWrite && list && (
        <Anchor component="button" type="button" onClick={() => setUnlisting(list)}>
          {t('unlist')}
        </Anchor>
      )}
      {mayWrite && flag && (
        <Anchor component="button" type="button" onClick={() => void clear(flag)}>
          {t('clear')}
        </Anchor>
      )}
      {unlisting && <UnlistDialog id={contact.id} list={unlisting} onClose={() => setUnlisting(null)} />}
    </li>
  )
}

function ChannelLine({ channel, reach, ...about }: About & { channel: Channel; reach: Channels[Channel] }) {
  const t = useText(contactPageTexts)
  return (
    <li className={styles['channel']}>
      <div className={styles['answer']}>
        <strong>{t(channel)}</strong>
        <Badge tone={reach.may ? 'good' : reach.until === null ? 'bad' : 'warning'}>
          {reach.may ? t('may') : reach.until === null ? t('mayNot') : t('notYet')}
        </Badge>
      </div>
      {reach.until !== null && (
        <p>
          {t('until')} <Time at={reach.until} as="moment" />
        </p>
      )}
      {reach.because.length > 0 && (
        <ul className={styles['reasons']}>
          {reach.because.map((because) => (
            <Reason key={because.type} because={because} {...about} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Whether a contact may be written to now, on each channel, and why not. */
export function Reach({ contact, fields }: About) {
  const t = useText(contactPageTexts)
  const { purpose = 'marketing' } = route.useSearch()
  const navigate = route.useNavigate()
  const reach = useQuery({
    queryKey: ['contact', contact.id, 'reach', purpose],
    queryFn: ({ signal }) =>
      data(api.GET('/targets/{id}/reachability', { params: { path: { id: contact.id }, query: { purpose } }, signal })),
  })
  const choose = (chosen: string): void =>
    void navigate({
      search: (before) => ({ ...before, purpose: chosen === 'service' ? ('service' as const) : undefined }),
      replace: true,
    })
  return (
    <Panel
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
          onChange={choose}
        />
      }
    >
      {reach.error && <Problem error={reach.error} onRetry={() => void reach.refetch()} />}
      {reach.isPending && <Skeleton lines={[80, 60, 70, 60]} />}
      {reach.data && (
        <ul className={styles['channels']}>
          {CHANNELS.map((channel) => (
            <ChannelLine
              key={channel}
              channel={channel}
              reach={reach.data[channel]}
              contact={contact}
              fields={fields}
            />
          ))}
        </ul>
      )}
      <Counted id={contact.id} />
    </Panel>
  )
}
