import { SegmentedControl } from '@mantine/core'
import { Fragment, useState } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { PhoneRow } from '../../../components/phone/PhoneScreen.tsx'
import { PushPlatformPair, type PushPreviewContent } from '../../../components/phone/PushPhone.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { type PreviewReceiver, RenderedPhonePreview } from '../phones/RenderedPhonePreview.tsx'
import type { MessagePreviewProps } from '../write/channel.ts'
import {
  type NotificationForm,
  type NotificationVersionForm,
  tidyNotificationVersion,
  useApplications,
} from './notification-kind.ts'
import { notificationTexts } from './texts.ts'
import { useVersionNames } from './use-version-names.ts'

interface Rendered {
  type: 'success'
  pushes: PushPreviewContent[]
}

type Refused = { type: 'error'; value: { type: string; message?: string } }

/** One version as it is being written; one that was never saved is rendered in the place of the main one. */
async function rendered(id: string, version: NotificationVersionForm, receiver: PreviewReceiver, signal: AbortSignal) {
  const { content, redirection, channel } = tidyNotificationVersion(version)
  const { title, body, image, icon, buttons } = content
  const given = { title, body, image, icon, buttons, redirection, channel }
  return (await readAnswer(
    apiClient.POST('/notifications/{id}/render', {
      ...{ params: { path: { id } }, signal },
      // What is not there is empty: null would leave what is stored.
      body: { ...receiver, ...given, title: title ?? '', body: body ?? '', image: image ?? '', icon: icon ?? '' },
    }),
  )) as { type: 'success'; render: PushPreviewContent } | Refused
}

/** Versions of a notification as both platforms show them to a contact: one, or all beside each other. */
export function NotificationPreview({
  value: { id, versions, settings, stamp },
}: MessagePreviewProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
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
      <RenderedPhonePreview<Rendered>
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
          <PhoneRow>
            {pushes.map((push, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: in the order of the versions.
              <Fragment key={index}>
                {isAll && <h3>{names[index]}</h3>}
                <PushPlatformPair push={push} app={application?.name ?? t('application')} />
              </Fragment>
            ))}
          </PhoneRow>
        )}
      </RenderedPhonePreview>
    </>
  )
}
