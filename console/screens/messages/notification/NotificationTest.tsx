import { Select } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { SendTestForm } from '../phones/SendTestForm.tsx'
import type { MessageTestProps } from '../write/channel.ts'
import type { NotificationForm } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'
import { useVersionNames } from './use-version-names.ts'

/** Proofs of a version: to the devices of a contact, or of a test segment. */
export function NotificationTest({ message: { id, versions }, onDone }: MessageTestProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
  const versionNames = useVersionNames(versions)
  const mainVersion = versions.find((version) => version.master) ?? versions[0]
  const [version, setVersion] = useState(mainVersion?.id ?? '')
  return (
    <SendTestForm
      takes={['contact']}
      isReady={({ contact, segment }) => (contact !== null) !== (segment !== null)}
      send={async ({ contact, segment }) => {
        const recipient =
          contact === null
            ? { type: 'segment' as const, value: segment ?? 0 }
            : { type: 'contact' as const, value: { type: 'id' as const, value: contact } }
        const testResults = await apiClient.testNotificationVersion({
          path: { id: String(id), version },
          body: { recipient },
        })
        await onDone()
        return testResults
      }}
    >
      {() =>
        versions.length > 1 && (
          <Select
            maw={560}
            allowDeselect={false}
            label={t('testVersion')}
            data={versions.map((candidate, index) => ({ value: candidate.id ?? '', label: versionNames[index] ?? '' }))}
            value={version}
            onChange={(next) => setVersion(next ?? version)}
          />
        )
      }
    </SendTestForm>
  )
}
