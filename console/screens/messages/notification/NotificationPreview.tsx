import { SegmentedControl } from '@mantine/core'
import { Fragment, useState } from 'react'
import { apiClient } from '../../../api/client.ts'
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

interface RenderedVersion {
  type: 'success'
  pushes: PushPreviewContent[]
}

type RefusedVersion = { type: 'error'; value: { type: string; message?: string } }

/** One version as it is being written; one that was never saved is rendered in the place of the main one. */
async function renderVersion(
  id: string,
  version: NotificationVersionForm,
  receiver: PreviewReceiver,
  signal: AbortSignal,
) {
  const { content, redirection, channel } = tidyNotificationVersion(version)
  const { title, body, image, icon, buttons } = content
  const versionContent = { title, body, image, icon, buttons, redirection, channel }
  return (await apiClient.renderNotification({
    path: { id },
    signal,
    // An absent text is sent as an empty one: null would leave what is stored.
    body: {
      ...receiver,
      ...versionContent,
      title: title ?? '',
      body: body ?? '',
      image: image ?? '',
      icon: icon ?? '',
    },
  })) as { type: 'success'; render: PushPreviewContent } | RefusedVersion
}

/** Versions of a notification as a contact sees them on both platforms: one of them, or all side by side. */
export function NotificationPreview({
  value: { id, versions, settings, stamp },
}: MessagePreviewProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
  const [openTab, setOpenTab] = useState('0')
  const versionNames = useVersionNames(versions)
  const application = useApplications().data?.find((candidate) => candidate.id === settings.application)
  const showsAll = openTab === 'all'
  const shownVersions = showsAll ? versions : versions.slice(Number(openTab)).slice(0, 1)
  return (
    <>
      {versions.length > 1 && (
        <SegmentedControl
          size="xs"
          maw="100%"
          aria-label={t('shown')}
          data={[
            ...versionNames.map((label, index) => ({ value: String(index), label })),
            { value: 'all', label: t('compare') },
          ]}
          value={openTab}
          onChange={setOpenTab}
        />
      )}
      <RenderedPhonePreview<RenderedVersion>
        isEmpty={shownVersions.every(({ content: { title, body } }) => !title && !body)}
        of={['notification', id, shownVersions, settings.application, stamp.modification]}
        render={async (receiver, signal) => {
          const renderResults = await Promise.all(
            shownVersions.map((version) => renderVersion(String(id), version, receiver, signal)),
          )
          const refusedResult = renderResults.find((candidate) => candidate.type === 'error')
          if (refusedResult) return refusedResult
          return {
            type: 'success',
            pushes: renderResults.flatMap((candidate) => (candidate.type === 'success' ? candidate.render : [])),
          }
        }}
      >
        {({ pushes }) => (
          <PhoneRow>
            {pushes.map((push, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: in the order of the versions.
              <Fragment key={index}>
                {showsAll && <h3>{versionNames[index]}</h3>}
                <PushPlatformPair push={push} app={application?.name ?? t('application')} />
              </Fragment>
            ))}
          </PhoneRow>
        )}
      </RenderedPhonePreview>
    </>
  )
}
