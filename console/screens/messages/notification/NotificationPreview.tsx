import { SegmentedControl } from '@mantine/core'
import { Fragment, useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { Phones } from '../../../components/phone/Phone.tsx'
import { PushPair, type PushShown } from '../../../components/phone/PushPhone.tsx'
import { useText } from '../../../text/catalogue.ts'
import { Previewed, type Receiver } from '../phones/Previewed.tsx'
import type { PreviewProps } from '../write/channel.ts'
import { type Notification, tidied, useApplications, type Version } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'
import { useVersionNames } from './use-version-names.ts'

interface Rendered {
  type: 'success'
  pushes: PushShown[]
}

type Refused = { type: 'error'; value: { type: string; message?: string } }

/** One version as it is being written; one that was never saved is rendered in the place of the main one. */
async function rendered(id: string, version: Version, receiver: Receiver, signal: AbortSignal) {
  const { content, redirection, channel } = tidied(version)
  const { title, body, image, icon, buttons } = content
  const given = { title, body, image, icon, buttons, redirection, channel }
  return (await data(
    api.POST('/notifications/{id}/render', {
      ...{ params: { path: { id } }, signal },
      // What is not there is empty: null would leave what is stored.
      body: { ...receiver, ...given, title: title ?? '', body: body ?? '', image: image ?? '', icon: icon ?? '' },
    }),
  )) as { type: 'success'; render: PushShown } | Refused
}

/** Versions of a notification as both platforms show them to a contact: one, or all beside each other. */
export function NotificationPreview({ value: { id, versions, settings, stamp } }: PreviewProps<Notification>) {
  const t = useText(notificationTexts)
  const [open, setOpen] = useState('0')
  const names = useVersionNames(versions)
  const application = useApplications().data?.find((one) => one.id === settings.application)
  const isAll = open === 'all'
  const shown = isAll ? versions : versions.slice(Number(open)).slice(0, 1)
  return (
    <>
      {versions.length > 1 && (
        <SegmentedControl
          size="xs"
          maw="100%"
          aria-label={t('shown')}
          data={[
            ...names.map((label, index) => ({ value: String(index), label })),
            { value: 'all', label: t('compare') },
          ]}
          value={open}
          onChange={setOpen}
        />
      )}
      <Previewed<Rendered>
        isEmpty={shown.every(({ content: { title, body } }) => !title && !body)}
        of={['notification', id, shown, settings.application, stamp.modification]}
        render={async (receiver, signal) => {
          const all = await Promise.all(shown.map((version) => rendered(String(id), version, receiver, signal)))
          const refused = all.find((one) => one.type === 'error')
          if (refused) return refused
          return { type: 'success', pushes: all.flatMap((one) => (one.type === 'success' ? one.render : [])) }
        }}
      >
        {({ pushes }) => (
          <Phones>
            {pushes.map((push, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: in the order of the versions.
              <Fragment key={index}>
                {isAll && <h3>{names[index]}</h3>}
                <PushPair push={push} app={application?.name ?? t('application')} />
              </Fragment>
            ))}
          </Phones>
        )}
      </Previewed>
    </>
  )
}
