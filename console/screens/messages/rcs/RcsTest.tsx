import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { SendTestForm } from '../phones/SendTestForm.tsx'
import { TestVersionField } from '../versions/TestVersionField.tsx'
import type { MessageTestProps } from '../write/channel.ts'
import type { ApiRcsAction } from './rcs-kind.ts'

/** Proofs of a rich message: to a contact, to a test segment; all of them to one's own phone where that is given. */
export function RcsTest({ message, onDone }: MessageTestProps<ApiRcsAction>) {
  const [testVersion, setVersion] = useState<string | null>(null)
  const { id } = message
  return (
    <SendTestForm
      takes={['contact', 'number']}
      isReady={({ contact, segment }) => contact !== null || segment !== null}
      send={async ({ contact, segment, number }) => {
        const testResults = await apiClient.sendRcsActionProofs({
          path: { id: String(id) },
          body: {
            ...(contact && { recipient: { type: 'id' as const, value: contact } }),
            ...(segment !== null && { testSegments: [segment] }),
            ...(number.trim() !== '' && { mediaForTest: number.trim() }),
            ...(testVersion !== null && { version: testVersion }),
          },
        })
        await onDone()
        return testResults
      }}
    >
      {() => <TestVersionField message={message} value={testVersion} onChange={setVersion} others="ownOfCampaign" />}
    </SendTestForm>
  )
}
